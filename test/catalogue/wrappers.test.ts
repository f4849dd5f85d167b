import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { bodyParser } from '#shared/api/parse.ts';
import { schemaAt } from '#shared/fields.ts';
import { isFirst, wrapperOf } from '../support/bodies.ts';
import { long } from '../support/long.ts';
import { fieldCodes, type RawResponse } from '../support/raw.ts';
import { type Send, senderOf } from '../support/sender.ts';
import { pathWith, type Sweep, sweeps, unknownIds } from '../support/swept.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** The wrapper of the record in the body of every request (docs/specification/requests.md, "Bodies"). */

/** Bodies that are no record: the fields of an action, at the top. */
const bare = [
  'acceptProposal',
  'applyTag',
  'approveShareRequest',
  'createAccessToken',
  'createBillingEvent',
  'createMembership',
  'createOneTimeCode',
  'createSessionAuthorization',
  'createSpaceMembership',
  'deleteStage',
  'deleteTag',
  'deleteUser',
  'dismissNotifications',
  'mergeContacts',
  'rejectProposal',
  'remindOfCalendarEvent',
  'resolveProposals',
  'respondToCalendarEvent',
  'sendDraft',
  'snoozeThread',
  'syncMailbox',
  'unmergeContacts',
];

/** What is returned under another name than it is sent. */
const renamed: Record<string, string[]> = {
  attachToDraft: ['draft'],
  createTermsAssent: ['terms_assents'],
  createWaitlistee: ['ok'],
  mergeDuplicate: ['contact'],
  updateCreditCard: ['ok'],
};

/** Whose wrapper may be left out: a repeated apply has nothing to say. */
const optional = ['applyImport'];

const withBodies = sweeps.filter(({ definition }) => definition.body);
const wrapped = withBodies.flatMap((sweep) => {
  const wrapper = wrapperOf(sweep);
  return wrapper === undefined ? [] : [{ ...sweep, wrapper }];
});
const required = wrapped.filter(({ definition }) => !optional.includes(definition.name));

/** All paths of an operation are served by the same code: `npm test` takes the first. */
const some = long ? required : required.filter(isFirst);

describe('the wrapper of a body', () => {
  let workspace: Workspace;
  let send: Send;
  beforeAll(async () => {
    workspace = await startWorkspace();
    send = senderOf(workspace);
  });
  afterAll(() => workspace.stop());

  const sendBody = (sweep: Sweep, body: unknown) =>
    send(workspace.ada.session_token, sweep.method, pathWith(sweep, unknownIds(sweep)), { body });
  const outcome = ({ status, json }: RawResponse) => `${status} ${json.error?.code}`;

  it('is in every body but those of actions', () => {
    const unwrapped = withBodies
      .filter((sweep) => !wrapperOf(sweep))
      .map(({ definition }) => definition.name);
    expect([...new Set(unwrapped)].sort()).toEqual(bare);
  });

  it.each(wrapped.filter(isFirst))('is that of the response: $name', ({ definition, wrapper }) => {
    const [returned] = Object.values(definition.returns) as object[];
    expect(Object.keys(returned as object)).toEqual(
      expect.arrayContaining(renamed[definition.name] ?? [wrapper]),
    );
  });

  it.each(some)('400 for a missing one: $name', async (sweep) => {
    const response = await sendBody(sweep, {});
    expect(outcome(response)).toBe('400 invalid_request');
    expect(fieldCodes(response)).toEqual({ [sweep.wrapper]: 'required' });
  });

  it.each(some)('400 for one that is no object: $name', async (sweep) => {
    for (const [value, code] of [
      [null, 'required'],
      [[], 'invalid'],
      ['x', 'invalid'],
    ]) {
      const response = await sendBody(sweep, { [sweep.wrapper]: value });
      expect(outcome(response)).toBe('400 invalid_request');
      expect(fieldCodes(response)).toEqual({ [sweep.wrapper]: code });
    }
  });

  it.each(some)('is not in the names of bad fields: $name', async (sweep) => {
    const { schema } = bodyParser(sweep.definition.body ?? {});
    const names = Object.keys((schemaAt(schema, [sweep.wrapper]) as z.ZodObject).shape);
    const strange = Object.fromEntries(names.map((name) => [name, [{}]]));
    const response = await sendBody(sweep, { [sweep.wrapper]: strange });
    expect(outcome(response)).toBe('400 invalid_request');
    const bad = Object.keys(fieldCodes(response)).map((name) => name.split('.')[0]);
    expect(bad).not.toEqual([]);
    expect(bad.filter((name) => !names.includes(name as string))).toEqual([]);
  });
});
