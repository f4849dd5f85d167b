import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isContent } from '#shared/api/route.ts';
import { operations } from '../../functions/catalogue.ts';
import { expectNotFound } from '../support/failures.ts';
import { long } from '../support/long.ts';
import { ofTheAccount, privateRecords } from '../support/private-records.ts';
import { createRecords, type Records } from '../support/records.ts';
import { type Reference, references, withAt } from '../support/references.ts';
import { type Send, senderOf } from '../support/sender.ts';
import { idsAmong, pathWith, type Sweep, typesOf, withIds } from '../support/swept.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** A record that a user does not see is as one that is not there, also of a colleague (docs/specification/requests.md). */

/** Each path with a hidden record in one of its places, and records of the caller in the others. */
const places = withIds.flatMap((sweep) =>
  typesOf(sweep).flatMap((type, at) =>
    ofTheAccount.includes(type) ? [] : [{ ...sweep, at, name: `${sweep.name}, ${type}` }],
  ),
);

/** Those that answer otherwise, with the reason. */
const known: Record<string, string> = {
  deleteApiKey: '403: admins revoke the keys of all users',
};
const paths = places.filter(({ definition }) => !known[definition.name]);

/** What shows the records, and none of others as duplicates do. */
const readings = paths.filter(
  ({ method, definition: { name, returns } }) =>
    method === 'GET' && name !== 'listDuplicates' && !isContent(Object.values(returns)[0]),
);
const passing = /^(seconds_in_stage|request_id)$/;

/** References that are not refused, or not here, with the reason. */
const open: Record<string, string> = {
  createMailboxAuthorization: 'needs a configured provider',
  createShareRequest: 'asks for what the user does not see',
  dismissNotifications: 'passes over ids that are not of the user',
  listProposals: 'filters what the user was proposed',
  resolveProposals: 'has a result for each id',
};

const typeOf = ({ path, type }: Reference) => type ?? (path.endsWith('record_id') ? 'threads' : '');
const hides = (each: Reference) => !ofTheAccount.includes(typeOf(each));
const referring = references
  .filter((each) => hides(each) && !open[each.sweep.definition.name])
  .map((each) => ({ ...each, name: `${each.sweep.name}, ${each.path}` }));

/** Instead of examples that name other records, or exclude the reference. */
const bodies: Record<string, (own: Records) => object> = {
  attachToDraft: () => ({}),
  createConversation: () => ({ conversation: { record_type: 'thread' } }),
  createDraft: ({ mailboxes }) => ({ draft: { mailbox_id: mailboxes } }),
  createFile: ({ uploads }) => ({ file: { upload_id: uploads } }),
  createImport: ({ uploads }) => ({ import: { upload_id: uploads, record_type: 'calendar_events' } }),
  createSpaceMembership: () => ({}),
  updateDeal: () => ({}),
  updateMilestone: () => ({
    milestone: { deal_id: null, space_id: null, organization_id: null, contact_id: null },
  }),
};

/** Where the own record is refused too: a comment on another record, a message without mail, a contact that never merged. */
const neverThere = /parent_comment_id|in_reply_to_message_id|contact_id_to_unmerge|attachment_id/;

/** Half in `npm test`. */
const some = <T>(all: T[]) => (long ? all : all.filter((_, i) => i % 2 === 0));

describe('a record that a colleague hides', () => {
  let workspace: Workspace;
  let send: Send;
  let hidden: Records;
  let own: Records;
  let before: string[];
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    send = senderOf(workspace);
    hidden = await privateRecords(workspace, workspace.grace);
    own = await createRecords(workspace, workspace.linus);
    before = await shown();
  });
  afterAll(() => workspace.stop());

  /** What its owner sees of each, but for how long a deal has been in its stage. */
  async function shown(): Promise<string[]> {
    const found = [];
    for (const sweep of some(readings)) {
      const path = pathWith(sweep, idsAmong(sweep, hidden));
      const { status, json } = await send(workspace.grace.session_token, 'GET', path);
      const seen = JSON.stringify(json, (name, value) => (passing.test(name) ? undefined : value));
      found.push(`${sweep.template} ${status} ${seen}`);
    }
    return found;
  }

  const ask = (sweep: Sweep, ids: string[], body = sweep.body, query = '') => {
    const sent = sweep.method === 'GET' ? {} : { body };
    return send(workspace.linus.session_token, sweep.method, pathWith(sweep, ids) + query, sent);
  };
  const naming = ({ sweep, place, path }: Reference, id: string) => {
    const ids = idsAmong(sweep, own);
    if (place === 'query') return ask(sweep, ids, undefined, `?${path}=${id}`);
    return ask(sweep, ids, withAt(bodies[sweep.definition.name]?.(own) ?? sweep.body, path, id));
  };

  it.each(some(paths))('404 in the path: $name', async ({ at, ...sweep }) => {
    const ids = typesOf(sweep).map((type, i) => (i === at ? hidden : own)[type] as string);
    expectNotFound(await ask(sweep, ids));
  });

  it.each(some(referring))('404 in a request: $name', async (reference) => {
    expectNotFound(await naming(reference, hidden[typeOf(reference)] as string));
  });

  const controlled = long ? referring : [];
  it.for(controlled)('as for an unknown one, and unlike an own one: $name', async (reference) => {
    expectNotFound(await naming(reference, randomUUID()));
    if (neverThere.test(reference.path)) return;
    expect((await naming(reference, own[typeOf(reference)] as string)).status).not.toBe(404);
  });

  it('stays as it was', async () => {
    expect(before.filter((each) => !/ (200|404 .*"no_transcript")/.test(each))).toEqual([]);
    expect(await shown()).toEqual(before);
  });

  it('is tried in every place', () => {
    const names = new Set(operations.map(({ name }) => name));
    expect([known, open, bodies].flatMap(Object.keys).filter((name) => !names.has(name))).toEqual([]);
    expect(places.filter(({ at, ...sweep }) => !hidden[typesOf(sweep)[at] as string])).toEqual([]);
    expect(referring.filter((each) => !hidden[typeOf(each)])).toEqual([]);
  });
});
