import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../functions/catalogue.ts';
import { fieldsSent, fieldsShown, isFirst, wrapperOf } from '../support/bodies.ts';
import { problemsOf } from '../support/failures.ts';
import { fieldCodes } from '../support/raw.ts';
import { type Send, senderOf } from '../support/sender.ts';
import { closed, pathWith, unknownIds } from '../support/swept.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/** Requests that ignore them, with the reason. */
const ignoring: Record<string, string> = {
  addReaction: 'no record of its own',
  applyImport: 'an action',
  createApiKey: 'a credential',
  createComment: 'as the contract has comments',
  createConversation: 'is private, without lists of others',
  createExport: 'work, no record',
  createGroup: 'people, no record',
  createImport: 'work, no record',
  createMailImport: 'work, no record',
  createMailbox: 'a connection',
  createMailboxAuthorization: 'a connection',
  createMessage: 'a question',
  createShare: 'no record of its own',
  createTag: 'as the contract has tags',
  createTranscript: 'no record of its own',
  createUpload: 'on the way to a file',
  updateComment: 'as the contract has comments',
  updateMailboxCredentials: 'a connection',
  updateReaction: 'no record of its own',
  updateShare: 'no record of its own',
  updateTag: 'as the contract has tags',
};

const wrapped = closed
  .filter((sweep) => sweep.definition.body && Object.keys(fieldsShown(sweep)).length > 0)
  .filter(isFirst);

/** Fields that only the service sets are refused, also by requests that create (docs/specification/requests.md). */
describe('fields of the service', () => {
  let workspace: Workspace;
  let send: Send;
  beforeAll(async () => {
    workspace = await startWorkspace();
    send = senderOf(workspace);
  });
  afterAll(() => workspace.stop());

  const common = { name: 'Given' };
  const hour = { starts_at: '2026-11-23T09:00:00Z', ends_at: '2026-11-23T10:00:00Z' };
  const given = {
    createCalendarEvent: { ...common, ...hour, calendar_id: randomUUID() },
    createContact: common,
    createDeal: common,
    createFile: { upload_id: randomUUID() },
    createMilestone: common,
    createOrganization: common,
    createPipeline: common,
    createSpace: { ...common, kind: 'records' },
    createStage: common,
    createTask: common,
  };
  const creating = Object.keys(given) as (keyof typeof given)[];

  const create = ({ api }: TestUser, name: keyof typeof given, fields: object) => {
    const { definition } = operations.find((each) => each.name === name) as (typeof operations)[number];
    const [wrapper = ''] = Object.keys(definition.body ?? {});
    const params = { pipeline_id: randomUUID() };
    return api[name]({ params, body: { [wrapper]: { ...given[name], ...fields } } } as never);
  };

  it.each(creating)('%s refuses them', async (name) => {
    for (const field of ['id', 'user_id', 'created_at', 'updated_at'])
      for (const value of [null, 'x'])
        expect(await problemsOf(create(workspace.ada, name, { [field]: value })), field).toEqual({
          [field]: 'not_allowed',
        });
  });

  it('are refused by all operations but those', () => {
    const names = new Set(wrapped.map(({ definition }) => definition.name));
    expect(Object.keys(ignoring).filter((name) => !names.has(name))).toEqual([]);
  });

  it.each(wrapped)('$definition.name: all of them at once', async (sweep) => {
    const sent = fieldsSent(sweep);
    const own = Object.keys(fieldsShown(sweep)).filter((name) => !(name in sent));
    expect(own).not.toEqual([]);
    const path = pathWith(sweep, unknownIds(sweep));
    for (const value of [null, 'x']) {
      const body = { [wrapperOf(sweep) ?? '']: Object.fromEntries(own.map((name) => [name, value])) };
      const response = await send(workspace.ada.session_token, sweep.method, path, { body });
      const codes = fieldCodes(response);
      const refused = own.filter((name) => codes[name] === 'not_allowed');
      expect(refused).toEqual(ignoring[sweep.definition.name] ? [] : own);
    }
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
