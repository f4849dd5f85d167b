export * as applyImport from './apply-import.ts';
export * as createImport from './create-import.ts';
export * as listImportRows from './list-import-rows.ts';
export * as listImports from './list-imports.ts';
export * as retrieveImport from './retrieve-import.ts';
