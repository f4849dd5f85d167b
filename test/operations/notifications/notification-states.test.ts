import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenNotifications } from '../../support/notifications.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** The states of the specification ("Notification") against a model that keeps them on every notification. */
describe('notifications: any order of operations', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  interface Model {
    id: string;
    new: boolean;
    read_at: string | null;
  }

  /** A linear congruential generator, so that a failure can be repeated. */
  const generator = (seed: number) => {
    let state = seed;
    return (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
  };

  const pagesOf = async (user: TestUser, query: object) => {
    const found: Model[] = [];
    let cursor: string | null = null;
    do {
      const next: object = cursor ? { next_cursor: cursor } : {};
      const { body } = await user.reader.listNotifications({ query: { ...query, ...next } });
      found.push(
        ...body.collection.records.map(({ id, read_at, ...each }) => ({ id, new: each.new, read_at })),
      );
      cursor = body.collection.page_info.next_cursor;
    } while (cursor);
    return found;
  };

  it.each([
    ['ada', 1],
    ['grace', 2],
    ['linus', 3],
  ] as const)('as %s, walk %d', async (name, seed) => {
    const user = workspace[name];
    const random = generator(seed);
    let model: Model[] = [];
    for (let step = 0; step < 60; step++) {
      const time = new Date(Date.UTC(2026, 10, 20) + step * 60_000);
      workspace.setTime(time);
      const read_at = time.toISOString();
      const chosen = model[random(Math.max(1, model.length))];
      const action = ['arrive', 'arrive', 'read', 'read', 'unread', 'unread', 'all'][random(7)];
      if (action === 'arrive' || !chosen) {
        const ids = await givenNotifications(workspace, user, Array(1 + random(3)).fill('deal_won'), time);
        model = [...ids.toReversed().map((id) => ({ id, new: true, read_at: null })), ...model];
        workspace.setTime(new Date(time.getTime() + 10));
      } else if (action === 'read') {
        await user.api.markNotificationRead({ params: { id: chosen.id } });
        chosen.read_at ??= read_at;
      } else if (action === 'unread') {
        await user.api.markNotificationUnread({ params: { id: chosen.id } });
        chosen.read_at = null;
      } else {
        await user.api.markAllNotificationsRead();
        for (const each of model) Object.assign(each, { new: false, read_at: each.read_at ?? read_at });
      }
      if (step % 4 > 0) continue;
      const unread = model.filter((each) => each.read_at === null);
      expect(await pagesOf(user, { limit: 1 + random(9) })).toEqual(model);
      expect(await pagesOf(user, { limit: 1 + random(9), status: 'unread' })).toEqual(unread);
      const { body } = await user.reader.countNotifications({ query: { status: 'unread' } });
      expect(body.count.total).toBe(unread.length);
    }
  });
});
