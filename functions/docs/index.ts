export * as retrieveDocs from './retrieve-docs.ts';
export * as retrieveDocsAsset from './retrieve-docs-asset.ts';
export * as retrieveOpenApi from './retrieve-open-api.ts';
