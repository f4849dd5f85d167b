import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commentable } from '#shared/composition/commenting.ts';
import { deletable } from '#shared/composition/deletions.ts';
import { withHistory } from '#shared/composition/history.ts';
import { restorable } from '#shared/composition/restoring.ts';
import { shareable } from '#shared/composition/sharing.ts';
import { taggable } from '#shared/composition/tagging.ts';
import type { NotificationEvent } from '#shared/domain/collaboration/notifications/event.ts';
import { shareableTypes } from '#shared/domain/collaboration/records/types.ts';
import type { RecordType } from '#shared/table/keys.ts';
import { operations } from '../../functions/catalogue.ts';
import { withAssets } from '../support/assets.ts';
import { raw } from '../support/raw.ts';
import { createRecords, type Records } from '../support/records.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/** Paths that name a record type exist for the types whose family has registered, and for no others. */

/** The paths of each operation on several record types. */
const onRecords = operations.flatMap(({ name, definition: { method, path } }) =>
  typeof path === 'string' ? [] : [{ name, method, types: path.types, rest: path.rest, of_all: path.of_all }],
);

/** A type that no family has registered. */
const unknown = 'boats';

/** The event of each type, as the contract calls it ("Emission rules": the ten `*_shared` events). */
const sharedEvents = {
  contacts: 'contact_shared',
  organizations: 'organization_shared',
  deals: 'deal_shared',
  threads: 'thread_shared',
  files: 'file_shared',
  calendar_events: 'calendar_event_shared',
  spaces: 'space_shared',
  tasks: 'task_shared',
  milestones: 'milestone_shared',
  mailboxes: 'mailbox_shared',
} as const satisfies Record<(typeof shareableTypes)[number], NotificationEvent>;

type On<Type> = { params: { record_type: Type; record_id: string } };

describe('operations on record types', () => {
  let workspace: Workspace;
  let records: Records;
  let removeAssets: () => Promise<void>;
  beforeAll(async () => {
    workspace = await startWorkspace();
    removeAssets = await withAssets(workspace.ctx);
    records = await createRecords(workspace, workspace.ada);
  });
  afterAll(async () => {
    await removeAssets();
    await workspace.stop();
  });

  const paramsOf = <Type extends RecordType>(record_type: Type): On<Type> => ({
    params: { record_type, record_id: records[record_type] as string },
  });

  async function comment(type: (typeof commentable)[number]) {
    const { api, reader } = workspace.ada;
    const on = paramsOf(type);
    const { body } = await api.createComment({ ...on, body: { comment: { html_content: 'Hello' } } });
    const { comments } = (await reader.listComments(on)).body;
    expect(comments.map(({ id }) => id)).toContain(body.comment.id);
  }

  async function tag(type: (typeof taggable)[number]) {
    const { api } = workspace.ada;
    const on = paramsOf(type);
    const { tagging } = (await api.applyTag({ ...on, body: { tag: { name: `Of ${type}` } } })).body;
    const params = { ...on.params, tag_id: tagging.tag_id };
    expect((await api.removeTag({ params })).status).toBe(204);
  }

  async function share(type: (typeof shareable)[number]) {
    const { api, reader } = workspace.ada;
    const on = paramsOf(type);
    const draft = { user_id: workspace.grace.user.id, access: 'view' as const };
    const { id } = (await api.createShare({ ...on, body: { share: draft } })).body.share;
    const params = { ...on.params, id };
    await api.updateShare({ params, body: { share: { access: 'edit' } } });
    const { shares } = (await reader.listShares(on)).body;
    expect(shares.find((each) => each.id === id)?.access).toBe('edit');
    expect((await api.deleteShare({ params })).status).toBe(204);
  }

  async function tellOfShare(type: (typeof shareable)[number]) {
    const { ada, linus } = workspace;
    const on = paramsOf(type);
    const { share } = (await ada.api.createShare({ ...on, body: { share: { user_id: linus.user.id } } }))
      .body;
    const event = sharedEvents[type];
    const toldOf = async ({ reader }: TestUser) =>
      (await reader.listNotifications({ query: { slice: event } })).body.collection.records.filter(
        ({ payload }) => payload?.id === on.params.record_id,
      );
    const all = (await linus.reader.listNotifications()).body.collection.records;
    // The newest one, and the only one of this record.
    expect(all[0]).toMatchObject({
      event,
      prompting_user_id: ada.user.id,
      payload: {
        id: on.params.record_id,
        record_type: event.replace('_shared', ''),
        share: { id: share.id, user_id: linus.user.id, access: 'view' },
      },
    });
    expect(all[0]?.payload).toHaveProperty(type === 'threads' ? 'subject' : 'name');
    expect(await toldOf(linus)).toEqual([all[0]]);
    expect(await toldOf(ada)).toEqual([]);
  }

  it.each(commentable)('take and list comments of %s', comment);
  it.each(taggable)('put tags on %s and take them off', tag);
  it.each(shareable)('share %s', share);
  it.each(shareable)('tell a user that one of %s is shared with them', tellOfShare);

  it('exist for registered types alone', () => {
    expect(Object.fromEntries(onRecords.map(({ name, types }) => [name, types]))).toEqual({
      listDeletions: deletable,
      restoreRecord: restorable,
      listHistory: withHistory,
      listComments: commentable,
      createComment: commentable,
      applyTag: taggable,
      removeTag: taggable,
      listShares: shareable,
      createShare: shareable,
      updateShare: shareable,
      deleteShare: shareable,
    });
  });

  // Every type of the specification is one that can be shared.
  const unpublished = onRecords.flatMap(({ method, types, rest }) =>
    shareableTypes
      .filter((type) => !types.includes(type))
      .map((type) => ({ method, path: `/${type}/${randomUUID()}/${rest.replace(/\{\w+\}/, randomUUID())}` })),
  );

  it.each(unpublished)('404 not_found as on any unknown path: $method $path', async ({ method, path }) => {
    const response = await raw(workspace.url, { method, path });
    expect([response.status, response.json.error?.code]).toEqual([404, 'not_found']);
  });

  it('are not in the client either', async () => {
    const params = { record_type: unknown, record_id: randomUUID() } as never;
    await expect(workspace.ada.reader.listComments({ params })).rejects.toThrow(
      `listComments has no path for ${unknown}`,
    );
  });
});
