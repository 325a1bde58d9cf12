// The actions of drugs on proteins of one data set.
CREATE INDEX action_dataset IF NOT EXISTS
FOR ()-[fact:ACTION]-() ON (fact.dataset)
