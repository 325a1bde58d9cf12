// Holds a lock by name: the node is never committed, so the lock ends with its transaction.
MERGE (lock:Lock {id: $id})
SET lock.held = true
