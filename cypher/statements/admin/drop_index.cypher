// Deletes an index, so that it can be made anew.
DROP INDEX $name IF EXISTS
