export * as createAccessToken from './create-access-token.ts';
