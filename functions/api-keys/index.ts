export * as createApiKey from './create-api-key.ts';
export * as deleteApiKey from './delete-api-key.ts';
export * as listApiKeys from './list-api-keys.ts';
