import { expect, it } from 'vitest';
import { route } from '#shared/api/route.ts';
import { type OperationResponse, responses } from '../../../infra/local/responses.ts';

const definition = route('deleteNote', {
  method: 'DELETE',
  path: '/notes/{id}',
  access: 'write',
  summary: 'Delete',
  returns: { 204: null },
  uses: [],
}) as unknown as OperationResponse['definition'];

it('passes with any response', { retry: 2 }, () => {
  responses.publish({ definition, status: 409, error_code: 'tag_name_taken' } satisfies OperationResponse);
  expect(true).toBe(true);
});
