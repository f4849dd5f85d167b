import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenField } from '../../support/custom-fields.ts';
import { codeOf } from '../../support/failures.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /custom_fields/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const retrieve = ({ reader }: TestUser, id: string) => reader.retrieveCustomField({ params: { id } });

  it('200 for every user of the account, 404 for all others', async () => {
    await givenField(workspace.ada, 'first', { record_type: 'organizations' });
    const field = await givenField(workspace.ada, 'second', { record_type: 'organizations' });
    expect((await retrieve(workspace.grace, field.id)).body.custom_field).toEqual({ ...field, position: 1 });
    expect(await codeOf(retrieve(workspace.hank, field.id))).toBe('404 record_not_found');
    expect(await codeOf(retrieve(workspace.ada, randomUUID()))).toBe('404 record_not_found');
  });
});
