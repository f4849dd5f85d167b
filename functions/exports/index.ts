export * as createExport from './create-export.ts';
export * as listExports from './list-exports.ts';
export * as retrieveExport from './retrieve-export.ts';
