export * as dismissDuplicate from './dismiss-duplicate.ts';
export * as listDuplicates from './list-duplicates.ts';
export * as mergeContacts from './merge-contacts.ts';
export * as mergeDuplicate from './merge-duplicate.ts';
export * as unmergeContacts from './unmerge-contacts.ts';
