export * as listHistory from './list-history.ts';
