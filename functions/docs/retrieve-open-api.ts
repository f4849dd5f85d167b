import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { readAsset } from '#shared/assets.ts';

export const retrieveOpenApi = route('retrieveOpenApi', {
  method: 'GET',
  path: '/openapi.json',
  access: 'public',
  summary: 'Describe the API',
  description: 'This document: OpenAPI 3.1.',
  returns: {
    200: {
      content_type: 'application/json',
      description: 'The OpenAPI document',
      headers: { 'Cache-Control': 'public, max-age=300' },
    },
  },
  uses: [],
  assets: true,
});

export const handler = handle(retrieveOpenApi, ({ ctx }) => readAsset(ctx.config, 'openapi.json'));
