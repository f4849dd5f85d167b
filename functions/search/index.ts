export * as searchRecords from './search-records.ts';
