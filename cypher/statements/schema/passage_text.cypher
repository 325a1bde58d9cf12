// Passages by the stems of the English words of their title and text.
CREATE FULLTEXT INDEX passage_text IF NOT EXISTS
FOR (n:Passage) ON EACH [n.title, n.text]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}
