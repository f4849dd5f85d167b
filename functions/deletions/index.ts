export * as listDeletions from './list-deletions.ts';
export * as restoreRecord from './restore-record.ts';
