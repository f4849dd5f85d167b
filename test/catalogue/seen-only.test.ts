import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRetrieve } from '#shared/api/etag.ts';
import { shareable } from '#shared/composition/sharing.ts';
import { long } from '../support/long.ts';
import { privateRecords } from '../support/private-records.ts';
import { createRecords, type Records } from '../support/records.ts';
import { type Send, senderOf } from '../support/sender.ts';
import { pathWith, type Sweep, typesOf, withIds } from '../support/swept.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** A share with `access: view` reads, comments and pins, and nothing else (docs/specification/records.md, "Visibility"). */

const shared = withIds.filter((sweep) => (shareable as readonly string[]).includes(typesOf(sweep)[0] ?? ''));
const writing = shared.filter(({ method }) => method !== 'GET');

const ownState = 'of the user alone';

/** What who sees a record may do, with the reason. */
const allowed: Record<string, string> = {
  createComment: 'comments',
  createFilePresignedUrl: 'reads',
  flagThread: ownState,
  markThreadRead: ownState,
  markThreadUnread: ownState,
  pinContact: ownState,
  remindOfCalendarEvent: ownState,
  reopenThread: ownState,
  resolveThread: ownState,
  snoozeThread: ownState,
  unflagThread: ownState,
  unpinContact: ownState,
  unsnoozeThread: ownState,
};

/** Tags of mail and meetings are for all who read them. */
const tagsOfMail = /^\/(threads|calendar_events)\/.*\/taggings/;
const mayAll = ({ definition, template }: Sweep) =>
  allowed[definition.name] !== undefined || tagsOfMail.test(template);

/** Instead of examples, which name other records. */
const bodies: Record<string, (own: Records) => object> = {
  createMailImport: ({ uploads }) => ({ import: { upload_id: uploads } }),
  createShare: ({ groups }) => ({ share: { group_id: groups } }),
  createSpaceMembership: ({ contacts }) => ({ contact_id: contacts }),
  mergeContacts: ({ contacts }) => ({ contact_id_to_merge: contacts }),
};

describe('a user who sees a record by a share', () => {
  let workspace: Workspace;
  let send: Send;
  let records: Records;
  let own: Records;
  /** The shares, by the type of the record. */
  const shares: Records = {};
  let before: unknown[];
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    const { grace, linus } = workspace;
    send = senderOf(workspace);
    records = await privateRecords(workspace, grace);
    own = await createRecords(workspace, linus);
    const body = { share: { user_id: linus.user.id } };
    for (const record_type of shareable) {
      const params = { record_type, record_id: records[record_type] as string };
      shares[record_type] = (await grace.api.createShare({ params, body })).body.share.id;
    }
    before = await shown();
  });
  afterAll(() => workspace.stop());

  const idsOf = (sweep: Sweep) => {
    const [first = '', ...others] = typesOf(sweep);
    const rest = others.map((type) => (type === 'shares' ? shares[first] : records[type]) as string);
    return [records[first] as string, ...rest];
  };
  const ask = (sweep: Sweep) =>
    send(workspace.linus.session_token, sweep.method, pathWith(sweep, idsOf(sweep)), {
      body: bodies[sweep.definition.name]?.(own) ?? sweep.body,
    });
  const shown = () =>
    Promise.all(
      shared
        .filter(({ definition, ids }) => isRetrieve(definition) && ids.length === 1)
        .map(async (sweep) => {
          const path = pathWith(sweep, idsOf(sweep));
          const { status, headers } = await send(workspace.grace.session_token, 'GET', path);
          return [path, status, headers.etag];
        }),
    );

  const refused = writing.filter((sweep) => !mayAll(sweep));
  /** Half in `npm test`. */
  const some = long ? refused : refused.filter((_, i) => i % 2 === 0);
  it.each(some)('403 for a change: $name', async (sweep) => {
    const { status, json } = await ask(sweep);
    expect([status, json.error?.code]).toEqual([403, 'permission_denied']);
  });

  it('changes nothing', async () => {
    expect(before.length).toBeGreaterThanOrEqual(shareable.length);
    expect(await shown()).toEqual(before);
  });

  it.each(writing.filter(mayAll))('may do what is not a change: $name', async (sweep) => {
    expect((await ask(sweep)).status).not.toBe(403);
  });
});
