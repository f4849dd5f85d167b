import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { removeReactions } from '#shared/domain/collaboration/comments/delete.ts';
import { moveDependents } from '#shared/domain/collaboration/life/carry.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import {
  commentsOf,
  eventsOf,
  givenComment,
  givenReaction,
  givenReactions,
  givenReply,
  remains,
} from '../../../support/comments.ts';
import { documentOf } from '../../../support/documents.ts';
import { failCall } from '../../../support/faults.ts';
import { STRIDE } from '../../../support/long.ts';
import { type GivenThread, givenThread } from '../../../support/threads.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

/** Comments move with all their items when two threads become one. */
describe('comments of a thread that becomes part of another', () => {
  let workspace: Workspace;
  let from: GivenThread;
  let into: GivenThread;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());
  afterEach(() => vi.restoreAllMocks());

  const given = async () => {
    const { ada, grace, linus } = workspace;
    into = await givenThread(workspace, { users: [ada, grace, linus] });
    from = await givenThread(workspace, { users: [ada, grace, linus] });
  };
  const move = async () => {
    const ref = ({ id }: GivenThread) => ({ type: 'threads' as const, id });
    await moveDependents(workspace.ctx, ref(from), ref(into));
  };
  /** Without what mailboxes have of the thread: that goes when the threads are merged. */
  const leftBehind = async () =>
    (await workspace.table.all(keys.record('threads', from.id).PK))
      .map(({ SK }) => SK)
      .filter((SK) => !SK.startsWith(keys.mailboxView(from.id, '').SK));
  /** The same comments, on the other thread. */
  const expectMoved = async (before: Awaited<ReturnType<typeof commentsOf>>) => {
    expect(await commentsOf(workspace.ada, into)).toEqual(
      before.map((comment) => ({ ...comment, thread_id: into.id })),
    );
    expect(await leftBehind()).toEqual(['META']);
  };
  const long = () => ({
    html_content: 'a'.repeat(199_000),
    json_content: documentOf({ type: 'text', text: 'b'.repeat(190_000) }),
  });

  it('keep reactions, replies, long content and what the assistant wrote', async () => {
    await given();
    const { ada, grace } = workspace;
    const first = await givenComment(grace, from, long());
    await givenComment(ada, from, { parent_comment_id: first.id });
    const reply = await givenReply(workspace, grace, from, { parent_comment_id: first.id });
    for (const comment of [first, reply]) for (const user of [ada, grace]) await givenReaction(user, comment);
    const before = await commentsOf(ada, from);
    expect(before.map(({ reactions }) => reactions.length)).toEqual([2, 0, 2]);
    await move();
    await expectMoved(before);
  });

  it('can be edited, reacted to and deleted there', async () => {
    await given();
    const { ada, grace } = workspace;
    const comment = await givenComment(grace, from);
    const reaction = await givenReaction(ada, comment);
    await move();
    const params = { comment_id: comment.id, id: reaction.id };
    await ada.api.updateReaction({ params, body: { reaction: { text: 'moved' } } });
    await givenReaction(grace, comment);
    const edited = await grace.api.updateComment({
      params: { id: comment.id },
      body: { comment: { html_content: 'Edited' } },
    });
    expect(edited.body.comment).toMatchObject({ thread_id: into.id, html_content: 'Edited' });
    expect((await commentsOf(ada, into))[0]?.reactions.map(({ text }) => text).sort()).toEqual([
      'moved',
      '👍',
    ]);
    await ada.api.removeReaction({ params });
    await grace.api.deleteComment({ params: { id: comment.id } });
    expect(await remains(workspace, into, comment)).toEqual([]);
  });

  it('make their authors commenters of the other thread, until they are deleted', async () => {
    await given();
    const { ada, grace, linus } = workspace;
    const [one, two] = [await givenComment(grace, from), await givenComment(linus, from)];
    await givenComment(grace, into);
    const told = () => Promise.all([grace, linus].map(async (user) => (await eventsOf(user, into)).length));
    await move();
    await givenComment(ada, into);
    expect(await told()).toEqual([1, 1]);
    await grace.api.deleteComment({ params: { id: one?.id as string } });
    await linus.api.deleteComment({ params: { id: two?.id as string } });
    await givenComment(ada, into);
    expect(await told()).toEqual([2, 1]);
  });

  it.each([46, 47, 48, 49, 333])('move with all %d reactions, and can be deleted', async (count) => {
    await given();
    const { ada, grace } = workspace;
    const comment = await givenComment(grace, from);
    await givenReactions(workspace, ada, from, comment, count);
    const before = await commentsOf(ada, from);
    await move();
    await expectMoved(before);
    const reaction = await givenReaction(grace, comment);
    await grace.api.removeReaction({ params: { comment_id: comment.id, id: reaction.id } });
    if (count < 90) {
      await grace.api.deleteComment({ params: { id: comment.id } });
      expect(await remains(workspace, into, comment)).toEqual([]);
    }
  });

  const beforeTransaction = (happen: () => Promise<unknown>, times = 1) => {
    const { table } = workspace;
    const transact = table.transact.bind(table);
    let calls = 0;
    vi.spyOn(table, 'transact').mockImplementation(async (writes) => {
      const first = JSON.stringify(writes).includes(`RECORD#threads#${into.id}`) && calls++ < times;
      if (first) await happen();
      await transact(writes);
    });
  };

  it('keep an edit, a new text and a new reaction that come while they are being moved', async () => {
    const { ada, grace } = workspace;
    for (const change of ['edit', 'text', 'reaction', 'removal'] as const) {
      await given();
      const comment = await givenComment(grace, from);
      const params = { comment_id: comment.id, id: (await givenReaction(ada, comment)).id };
      const changes = {
        edit: () =>
          grace.api.updateComment({
            params: { id: comment.id },
            body: { comment: { html_content: 'Edited' } },
          }),
        text: () => ada.api.updateReaction({ params, body: { reaction: { text: 'new' } } }),
        reaction: () => givenReaction(grace, comment, 'more'),
        removal: () => ada.api.removeReaction({ params }),
      };
      beforeTransaction(changes[change]);
      await move();
      vi.restoreAllMocks();
      const [moved] = await commentsOf(ada, into);
      const texts = moved?.reactions.map(({ text }) => text);
      expect([change, moved?.html_content, texts]).toEqual([
        change,
        change === 'edit' ? 'Edited' : '<p>Hello</p>',
        { edit: ['👍'], text: ['new'], reaction: ['👍', 'more'], removal: [] }[change],
      ]);
      expect(await leftBehind()).toEqual(['META']);
    }
  });

  it('a comment deleted while it is being moved takes along the reactions that had not arrived', async () => {
    const { ada, grace, table } = workspace;
    await given();
    const comment = await givenComment(grace, from);
    await givenReactions(workspace, ada, from, comment, 200);
    let calls = 0;
    const transact = table.transact.bind(table);
    vi.spyOn(table, 'transact').mockImplementation(async (writes) => {
      // The second transaction of the move.
      const moving = JSON.stringify(writes).includes(`RECORD#threads#${into.id}`);
      if (moving && ++calls === 2) await grace.api.deleteComment({ params: { id: comment.id } });
      await transact(writes);
    });
    await move();
    expect(await leftBehind()).toEqual(['META']);
    expect(await commentsOf(ada, into)).toEqual([]);
    // Those that had arrived are left to the job.
    const left = await remains(workspace, into, comment);
    expect(left.every((SK) => SK.includes('#REACTION#'))).toBe(true);
    const job = { record_type: 'threads' as const, record_id: into.id, comment_id: comment.id };
    await removeReactions(table, newId(new Date()), job);
    expect(await remains(workspace, into, comment)).toEqual([]);
  });

  it.each(['before', 'after'] as const)(
    'are complete on one thread, whichever call fails %s it is executed',
    async (when) => {
      const { ada, grace } = workspace;
      for (let call = 1, reached = true; reached; call += STRIDE) {
        await given();
        const comment = await givenComment(grace, from, long());
        await givenReaction(ada, comment);
        const many = await givenComment(grace, from);
        await givenReactions(workspace, ada, from, many, 60);
        const before = await commentsOf(ada, from);
        const fault = failCall(workspace.table, call, when);
        await move().catch(() => undefined);
        fault.remove();
        reached = fault.hit;
        const seen = [...(await commentsOf(ada, from)), ...(await commentsOf(ada, into))];
        expect(seen.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());
        // Together with its reactions, unless there are more than fit one transaction.
        expect(seen.find(({ id }) => id === comment.id)?.reactions).toHaveLength(1);
        await move();
        await expectMoved(before);
      }
    },
  );
});
