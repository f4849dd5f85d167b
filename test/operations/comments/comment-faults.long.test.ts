import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CommentPointer } from '#shared/domain/collaboration/comments/comment.ts';
import { keys } from '#shared/table/keys.ts';
import {
  commentsOf,
  eventsOf,
  givenComment,
  givenReaction,
  givenReactions,
  remains,
} from '../../support/comments.ts';
import { documentOf, mentioning } from '../../support/documents.ts';
import { failCall } from '../../support/faults.ts';
import { STRIDE } from '../../support/long.ts';
import { type GivenThread, givenThread } from '../../support/threads.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

/**
 * Each call to the table fails in turn, before and after it is executed: the change is then done or not, and a retry
 * does it.
 */

/** A change and its check. */
interface Scene {
  act(): Promise<{ status: number }>;
  /** The part of the state that shows whether the change is done. */
  look(): Promise<unknown>;
  /** The result of `look` after the change. */
  done: unknown;
  /** A second call would create again: a client looks first (docs/specification/requests.md, "Repeating a request"). */
  creates?: true;
}

describe.each(['before', 'after'] as const)('whichever call to the table fails %s it is executed', (when) => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
  });
  afterAll(() => workspace.stop());

  const long = {
    html_content: 'a'.repeat(199_000),
    json_content: documentOf({ type: 'text', text: 'b'.repeat(190_000) }),
  };

  /** Ada owns the thread, Grace writes, Linus is mentioned. */
  const scenes: Record<string, (thread: GivenThread) => Promise<Scene>> = {
    async createComment(thread) {
      const { ada, grace, linus, table } = workspace;
      const json_content = mentioning(linus.user.id);
      return {
        act: () =>
          grace.api.createComment({
            params: { record_type: 'threads', record_id: thread.id },
            body: { comment: { ...long, json_content } },
          }),
        look: async () => {
          const comments = await commentsOf(ada, thread);
          const [comment] = comments;
          const found = comment ? (await remains(workspace, thread, comment)).length : 0;
          const all = await table.all(keys.record('threads', thread.id).PK, 'COMMENT');
          return {
            comments: comments.map((each) => [each.json_content, each.mentions.length]),
            lost: all.length - Math.max(0, found - 1),
            ada: await eventsOf(ada, thread),
            linus: await eventsOf(linus, thread),
          };
        },
        done: {
          comments: [[json_content, 1]],
          lost: 0,
          ada: ['comment_added'],
          linus: ['comment_mentioned'],
        },
        creates: true,
      };
    },

    async updateComment(thread) {
      const { ada, grace, linus } = workspace;
      const comment = await givenComment(grace, thread, { json_content: mentioning(ada.user.id) });
      const json_content = mentioning(linus.user.id);
      return {
        act: () =>
          grace.api.updateComment({
            params: { id: comment.id },
            body: { comment: { ...long, json_content } },
          }),
        look: async () => ({
          comments: (await commentsOf(ada, thread)).map((each) => [
            each.html_content?.length,
            each.json_content,
            each.mentions.map(({ user_id }) => user_id),
            each.updated_at !== null,
          ]),
          ada: await eventsOf(ada, thread),
          linus: await eventsOf(linus, thread),
        }),
        done: {
          comments: [[199_000, json_content, [linus.user.id], true]],
          ada: ['comment_mentioned'],
          linus: ['comment_mentioned'],
        },
      };
    },

    async deleteComment(thread) {
      const { ada, grace } = workspace;
      const comment = await givenComment(grace, thread, long);
      const reply = await givenComment(ada, thread, { parent_comment_id: comment.id });
      for (const user of [ada, grace]) await givenReaction(user, comment);
      return {
        act: () => grace.api.deleteComment({ params: { id: comment.id } }),
        look: async () => ({
          comments: (await commentsOf(ada, thread)).map((each) => [
            each.id,
            each.parent_comment_id,
            each.reactions.length,
          ]),
          remains: (await remains(workspace, thread, comment)).length,
        }),
        done: { comments: [[reply.id, null, 0]], remains: 0 },
      };
    },

    async 'deleteComment with more reactions than fit'(thread) {
      const { ada, grace, table } = workspace;
      const comment = await givenComment(grace, thread);
      await givenReactions(workspace, ada, thread, comment, 120);
      const jobs = async () => {
        const shards = [0, 1, 2, 3].map((shard) => table.all(keys.jobShard(shard).PK));
        return (await Promise.all(shards)).flat().filter((job) => JSON.stringify(job).includes(comment.id));
      };
      return {
        act: () => grace.api.deleteComment({ params: { id: comment.id } }),
        look: async () => ({
          comments: (await commentsOf(ada, thread)).map((each) => [each.id, each.reactions.length]),
          jobs: (await jobs()).length,
        }),
        done: { comments: [], jobs: 1 },
      };
    },

    async addReaction(thread) {
      const { ada, grace, table } = workspace;
      const comment = await givenComment(ada, thread);
      return {
        act: () =>
          grace.api.addReaction({ params: { comment_id: comment.id }, body: { reaction: { text: '👍' } } }),
        look: async () => ({
          reactions: (await commentsOf(ada, thread)).map((each) => each.reactions.map(({ text }) => text)),
          count: (await table.get<CommentPointer>(keys.commentPointer(comment.id)))?.reaction_count ?? 0,
        }),
        done: { reactions: [['👍']], count: 1 },
        creates: true,
      };
    },

    async updateReaction(thread) {
      const { ada, grace } = workspace;
      const comment = await givenComment(ada, thread);
      const { id } = await givenReaction(grace, comment);
      const params = { comment_id: comment.id, id };
      return {
        act: () => grace.api.updateReaction({ params, body: { reaction: { text: '🎉' } } }),
        look: async () =>
          (await commentsOf(ada, thread)).map((each) => each.reactions.map(({ text }) => text)),
        done: [['🎉']],
      };
    },

    async removeReaction(thread) {
      const { ada, grace, table } = workspace;
      const comment = await givenComment(ada, thread);
      const { id } = await givenReaction(grace, comment);
      return {
        act: () => grace.api.removeReaction({ params: { comment_id: comment.id, id } }),
        look: async () => ({
          reactions: (await commentsOf(ada, thread)).map((each) => each.reactions.length),
          count: (await table.get<CommentPointer>(keys.commentPointer(comment.id)))?.reaction_count,
        }),
        done: { reactions: [0], count: 0 },
      };
    },
  };

  /** The state after the failure, and after the retry of a client. */
  async function fail(scene: Scene, call: number): Promise<boolean> {
    const old = await scene.look();
    expect(old).not.toEqual(scene.done);
    const fault = failCall(workspace.table, call, when);
    const response = await scene.act().catch((error: { status: number; code: string }) => error);
    fault.remove();
    if (!fault.hit) {
      expect(response.status).toBeLessThan(300);
      expect(await scene.look()).toEqual(scene.done);
      return false;
    }
    expect(response.status).toBe(500);
    expect(['error', 'comment_creation_failed']).toContain((response as { code?: string }).code);
    const state = await scene.look();
    const isDone = JSON.stringify(state) === JSON.stringify(scene.done);
    if (!isDone) expect(state).toEqual(old);
    if (!isDone) expect((await scene.act()).status).toBeLessThan(300);
    else if (!scene.creates) {
      const again = await scene.act().catch((error: { status: number }) => error);
      expect([200, 404]).toContain(again.status);
    }
    expect(await scene.look()).toEqual(scene.done);
    return true;
  }

  it.each(Object.keys(scenes))('%s', async (name) => {
    const { ada, grace, linus } = workspace;
    let calls = 0;
    for (let call = 1, reached = true; reached; call += STRIDE) {
      const thread = await givenThread(workspace, { users: [ada, grace, linus] });
      const scene = await scenes[name]?.(thread);
      reached = await fail(scene as Scene, call);
      calls = call;
    }
    // Authentication takes three calls or four, and every change reads before it writes.
    expect(calls).toBeGreaterThan(5);
  });

  it('the code of a creation that fails at its write', async () => {
    const thread = await givenThread(workspace, { users: [workspace.ada, workspace.grace] });
    const codes = new Set<string>();
    for (let call = 1, reached = true; reached; call++) {
      const fault = failCall(workspace.table, call, when);
      const params = { record_type: 'threads' as const, record_id: thread.id };
      const act = workspace.grace.api.createComment({ params, body: { comment: { html_content: 'a' } } });
      await act.catch((error: { code: string }) => codes.add(error.code));
      fault.remove();
      reached = fault.hit;
    }
    expect(codes).toEqual(new Set(['error', 'comment_creation_failed']));
  });
});
