// How many edges are there that are no triples, of each type?
MATCH ()-[e:HAS_EVENT]->()
RETURN 'HAS_EVENT' AS name, count(e) AS count
UNION ALL
MATCH ()-[e:INPUT]->()
RETURN 'INPUT' AS name, count(e) AS count
UNION ALL
MATCH ()-[e:OUTPUT]->()
RETURN 'OUTPUT' AS name, count(e) AS count
UNION ALL
MATCH ()-[e:CATALYZED_BY]->()
RETURN 'CATALYZED_BY' AS name, count(e) AS count
UNION ALL
MATCH ()-[e:REGULATED_BY]->()
RETURN 'REGULATED_BY' AS name, count(e) AS count
UNION ALL
MATCH ()-[e:PRECEDES]->()
RETURN 'PRECEDES' AS name, count(e) AS count
UNION ALL
MATCH ()-[e:HAS_COMPONENT]->()
RETURN 'HAS_COMPONENT' AS name, count(e) AS count
UNION ALL
MATCH ()-[e:HAS_MEMBER]->()
RETURN 'HAS_MEMBER' AS name, count(e) AS count
UNION ALL
MATCH ()-[e:REFERS_TO]->()
RETURN 'REFERS_TO' AS name, count(e) AS count
UNION ALL
MATCH ()-[e:PARTICIPATES_IN]->()
RETURN 'PARTICIPATES_IN' AS name, count(e) AS count
UNION ALL
MATCH ()-[e:HAS_SECTION]->()
RETURN 'HAS_SECTION' AS name, count(e) AS count
UNION ALL
MATCH ()-[e:LABELS]->()
RETURN 'LABELS' AS name, count(e) AS count
UNION ALL
MATCH ()-[e:HAS_GROUP]->()
RETURN 'HAS_GROUP' AS name, count(e) AS count
UNION ALL
MATCH ()-[e:IS_A]->()
RETURN 'IS_A' AS name, count(e) AS count
