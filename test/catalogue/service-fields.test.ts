import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../functions/catalogue.ts';
import { problemsOf } from '../support/failures.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/** Fields that only the service sets are refused, also by requests that create (docs/specification/requests.md). */
describe('fields of the service', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const creating = [
    'createContact',
    'createDeal',
    'createFile',
    'createMilestone',
    'createOrganization',
    'createPipeline',
    'createTask',
  ] as const;

  const create = ({ api }: TestUser, name: (typeof creating)[number], fields: object) => {
    const { definition } = operations.find((each) => each.name === name) as (typeof operations)[number];
    const [wrapper = ''] = Object.keys(definition.body ?? {});
    const given = { name: 'Given', upload_id: randomUUID(), ...fields };
    return api[name]({ body: { [wrapper]: given } } as never);
  };

  it.each(creating)('%s refuses them', async (name) => {
    for (const field of ['id', 'user_id', 'created_at', 'updated_at'])
      for (const value of [null, 'x'])
        expect(await problemsOf(create(workspace.ada, name, { [field]: value })), field).toEqual({
          [field]: 'not_allowed',
        });
  });

  it.each(['createContact', 'createDeal', 'createOrganization'] as const)(
    '%s takes custom_fields: null for none',
    async (name) => {
      const { body } = await create(workspace.ada, name, { custom_fields: null });
      const [record] = Object.values(body as Record<string, { custom_fields: object }>);
      expect(record?.custom_fields).toEqual({});
    },
  );

  it('a change to null removes all custom fields', async () => {
    const contact = { name: 'Ada', custom_fields: { a: 1, b: 2 } };
    const { id } = (await workspace.ada.api.createContact({ body: { contact } })).body.contact;
    const change = { params: { id }, body: { contact: { custom_fields: null } } };
    expect((await workspace.ada.api.updateContact(change)).body.contact.custom_fields).toEqual({});
  });
});
