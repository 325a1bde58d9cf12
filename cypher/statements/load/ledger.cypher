// Which loads were made of which data set, and what became of them?
MATCH (load:Load)
RETURN load {.*, started: toString(load.started), finished: toString(load.finished)} AS load
ORDER BY load.dataset, load.id
