"""Pages for people: the landing page and the API page, whole without the internet."""

from __future__ import annotations

from importlib.resources import files

from fastapi import APIRouter, FastAPI
from fastapi.openapi.docs import get_swagger_ui_html
from starlette.responses import HTMLResponse, Response

ASSETS = {"swagger-ui-bundle.js": "text/javascript", "swagger-ui.css": "text/css", "favicon.png": "image/png"}
# Nothing of the pages comes from elsewhere, and the browser is told to hold them to it.
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {"Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff"}

router = APIRouter(include_in_schema=False)


@router.get("/")
async def landing() -> HTMLResponse:
    """The first page: one search box, and where the rest is."""
    page = files("app").joinpath("static/landing.html").read_text(encoding="utf-8")
    return HTMLResponse(page, headers=HEADERS)


def install_docs(app: FastAPI) -> None:
    """Serve `/docs` with assets of the installation instead of a network's."""
    packaged = {name: files("fastapi_offline").joinpath(f"static/{name}").read_bytes() for name in ASSETS}

    @app.get("/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        page = get_swagger_ui_html(
            openapi_url="/openapi.json",
            title="BioMolKG API",
            swagger_js_url="/docs/swagger-ui-bundle.js",
            swagger_css_url="/docs/swagger-ui.css",
            swagger_favicon_url="/docs/favicon.png",
            swagger_ui_parameters={
                "validatorUrl": None,
                "docExpansion": "list",
                "defaultModelsExpandDepth": 0,
            },
        )
        page.headers.update(HEADERS)
        return page

    @app.get("/docs/{name}", include_in_schema=False)
    async def asset(name: str) -> Response:
        if name not in packaged:
            return Response(status_code=404)
        headers = {"Cache-Control": "public, max-age=86400"}
        return Response(packaged[name], media_type=ASSETS[name], headers=headers)
