"""A language model behind an OpenAI-compatible address, asked for answers of a given form."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self, TypeVar

import httpx
from pydantic import BaseModel, ValidationError

from biomolkg.errors import ConfigurationError, RequestFailed, RequestTimeout
from biomolkg.settings import Settings

Answer = TypeVar("Answer", bound=BaseModel)

_TRIES = 2  # a model that answers in another form is told so once
_MAX_ANSWER_BYTES = 1_000_000
_FENCE = re.compile(r"^\s*```(?:json)?\s*\n(.*)\n\s*```\s*$", re.DOTALL)


class LanguageModel:
    """Asks `llm_model` at `llm_base_url`. Safe to share between threads; close it, or use it in `with`.

    Raises ConfigurationError when no address or no model is set.
    """

    def __init__(self, settings: Settings) -> None:
        if not settings.llm_base_url or not settings.llm_model:
            raise ConfigurationError(
                "No language model is configured.",
                remedy="Set BIOMOLKG_LLM_BASE_URL and BIOMOLKG_LLM_MODEL.",
            )
        self.name = settings.llm_model
        self._url = settings.llm_base_url.rstrip("/") + "/chat/completions"
        headers = {}
        if settings.llm_api_key is not None:
            headers["Authorization"] = f"Bearer {settings.llm_api_key.get_secret_value()}"
        self._timeout = settings.llm_timeout
        self._http = httpx.Client(timeout=self._timeout, headers=headers)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the connections back."""
        self._http.close()

    def ask(
        self,
        system: str,
        question: str,
        form: type[Answer],
        *,
        check: Callable[[Answer], Sequence[str]] = lambda _: (),
    ) -> Answer:
        """The answer of the model as a `form`; `check` lists what else is wrong with it.

        An answer of another form is sent back once with what was wrong. Raises
        RequestTimeout when the model takes longer than `llm_timeout`, RequestFailed
        when it is away, refuses, or twice answers in another form.
        """
        messages = [{"role": "system", "content": system}, {"role": "user", "content": question}]
        problem = ""
        for _ in range(_TRIES):
            text = self._complete(messages, form)
            try:
                answer = form.model_validate_json(_bare(text))
                wrong = check(answer)
                if not wrong:
                    return answer
                problem = "; ".join(wrong)
            except ValidationError as error:
                problem = "; ".join(
                    f"{'.'.join(map(str, item['loc'])) or 'answer'}: {item['msg']}"
                    for item in error.errors()[:5]
                )
            messages += [
                {"role": "assistant", "content": text[:4_000]},
                {
                    "role": "user",
                    "content": f"That answer cannot be used: {problem}. Answer again, JSON alone.",
                },
            ]
        raise RequestFailed(
            f"The language model {self.name} twice answered in a form that cannot be used: {problem}.",
            remedy="Use a model that can follow a JSON schema.",
        )

    def _complete(self, messages: list[dict[str, str]], form: type[BaseModel]) -> str:
        body = {
            "model": self.name,
            "messages": messages,
            "temperature": 0,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": form.__name__, "schema": form.model_json_schema()},
            },
        }
        try:
            with self._http.stream("POST", self._url, json=body) as response:
                status, content = response.status_code, self._read(response)
        except httpx.TimeoutException as error:
            raise self._late() from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise RequestFailed(
                f"The language model at {self._url} cannot be reached: {error}.",
                remedy="Check BIOMOLKG_LLM_BASE_URL.",
            ) from error
        if status != httpx.codes.OK:
            raise RequestFailed(
                f"The language model {self.name} answered with status {status}.",
                remedy="Check BIOMOLKG_LLM_MODEL and BIOMOLKG_LLM_API_KEY.",
            )
        return _message(content, self.name)

    def _read(self, response: httpx.Response) -> bytes:
        """The body; its time is bounded as a whole, since httpx bounds only the wait for each piece."""
        end = time.monotonic() + self._timeout
        content = bytearray()
        for piece in response.iter_bytes():
            content += piece
            if time.monotonic() > end:
                raise self._late()
            if len(content) > _MAX_ANSWER_BYTES:
                raise RequestFailed(f"The answer of the language model {self.name} is too long.")
        return bytes(content)

    def _late(self) -> RequestTimeout:
        return RequestTimeout(
            f"The language model {self.name} did not answer in time.", remedy="Raise BIOMOLKG_LLM_TIMEOUT."
        )


def _message(content: bytes, name: str) -> str:
    try:
        text = json.loads(content)["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise RequestFailed(
            f"The answer of the language model {name} is not a chat completion: {error}.",
            remedy="Check that BIOMOLKG_LLM_BASE_URL is OpenAI-compatible.",
        ) from error
    if not isinstance(text, str):
        raise RequestFailed(f"The language model {name} answered without a text.")
    return text


def _bare(text: str) -> str:
    """The JSON of an answer that may be fenced as code."""
    fenced = _FENCE.match(text)
    return fenced[1] if fenced else text
