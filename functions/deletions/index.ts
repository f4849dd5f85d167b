export * as listDeletions from './list-deletions.ts';
