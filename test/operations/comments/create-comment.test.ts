import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { commentable } from '#shared/composition/commenting.ts';
import type { Thread } from '#shared/domain/mail/threads/thread.ts';
import { keys } from '#shared/table/keys.ts';
import { documentOf, mentioning } from '../../support/documents.ts';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { asJson, bearer, fieldCodes, raw } from '../../support/raw.ts';
import { type GivenThread, givenThread } from '../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /{record_type}/{record_id}/comments', () => {
  let workspace: Workspace;
  let thread: GivenThread;
  beforeAll(async () => {
    workspace = await startWorkspace();
    thread = await givenThread(workspace, { users: [workspace.ada, workspace.grace] });
  });
  afterAll(() => workspace.stop());
  afterEach(() => vi.restoreAllMocks());

  const create = (comment: unknown, user: TestUser = workspace.grace, id = thread.id) =>
    user.api.createComment({
      params: { record_type: 'threads', record_id: id },
      body: { comment } as never,
    });
  const commentsOf = async (id: string, user: TestUser = workspace.grace) =>
    (await user.reader.listComments({ params: { record_type: 'threads', record_id: id } })).body.comments;

  it('201: the whole comment, written by the key’s user', async () => {
    const json_content = documentOf({ type: 'text', text: 'Hello' });
    const { status, body } = await create({ html_content: '<p>Hello</p>', json_content });
    expect(status).toBe(201);
    expect(body.comment).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      html_content: '<p>Hello</p>',
      plain_text: 'Hello',
      json_content,
      text: null,
      parent_comment_id: null,
      user_id: workspace.grace.user.id,
      contact_id: null,
      organization_id: null,
      deal_id: null,
      thread_id: thread.id,
      file_id: null,
      calendar_event_id: null,
      space_id: null,
      agent: null,
      status: 'complete',
      blocks: [],
      refs: [],
      mentions: [],
      reactions: [],
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      updated_at: null,
    });
  });

  it.each([[undefined], [null]])('201: json_content %s is stored as null', async (json_content) => {
    const { body } = await create({ html_content: 'Hello', json_content });
    expect(body.comment.json_content).toBeNull();
  });

  it('201: html is sanitized, links get rel, lists and formatting stay', async () => {
    const html_content =
      '<p onclick="x()">Hi <b>you</b><script>alert(1)</script><iframe src="https://a.example"></iframe></p>' +
      '<ul><li><a href="https://a.example">a</a> <a href="javascript:alert(1)">b</a></li></ul>' +
      '<img src="http://a.example/p.png"><img src="https://a.example/p.png"><img src="cid:x">';
    const { body } = await create({ html_content });
    expect(body.comment.html_content).toBe(
      '<p>Hi <b>you</b></p>' +
        '<ul><li><a href="https://a.example" rel="noopener noreferrer nofollow">a</a> <a>b</a></li></ul>' +
        '<img src="cid:x" />',
    );
    expect((await commentsOf(thread.id)).find((each) => each.id === body.comment.id)).toEqual(body.comment);
  });

  it.each([
    ['a script', '<script>alert(1)</script>'],
    ['an empty paragraph', '<p></p>'],
    ['formatting around a script', '<p><b><style>p{}</style></b> &nbsp;</p>'],
    ['a comment', '<!-- hello -->'],
    ['a zero width space', '<p>&#8203;</p>'],
    ['a joiner and a soft hyphen', '<p>&zwj;&shy;</p>'],
    ['a Hangul filler', '<p>\u3164</p>'],
    ['an image that is taken out', '<img src="https://a.example/p.png" alt="Map">'],
  ])('400 required: html_content that is empty after sanitizing: %s', async (_, html_content) => {
    expect(await problemsOf(create({ html_content }))).toEqual({ html_content: 'required' });
  });

  it('201: an image alone is a comment', async () => {
    const { body } = await create({ html_content: '<img src="cid:map@a.example" alt="Map">' });
    expect(body.comment.html_content).toBe('<img src="cid:map@a.example" alt="Map" />');
  });

  longIt.each([[20_000], [60_000], [120_000], [200_000]])(
    '201: %d characters of each content, whatever they take in bytes',
    async (length) => {
      // Four bytes for each character, and incompressible.
      const characters = (count: number) =>
        Array.from({ length: count }, (_, i) =>
          String.fromCodePoint(0x20000 + (Math.imul(i, 2_654_435_761) >>> 17)),
        ).join('');
      const html_content = characters(length);
      const json_content = `{"type":"doc","text":"${characters(length - 24)}"}`;
      expect([...json_content]).toHaveLength(length);
      const { body } = await create({ html_content, json_content });
      expect(body.comment.html_content).toBe(html_content);
      const read = (await commentsOf(thread.id)).find((each) => each.id === body.comment.id);
      expect(read?.json_content).toBe(json_content);
      expect(read?.html_content).toBe(html_content);
    },
  );

  it('201: a reply names its parent, at any depth', async () => {
    let parent: string | undefined;
    for (let depth = 0; depth < 5; depth++) {
      const reply: { parent_comment_id?: string } = parent ? { parent_comment_id: parent } : {};
      const { body } = await create({ html_content: `<p>${depth}</p>`, ...reply });
      expect(body.comment.parent_comment_id).toBe(parent ?? null);
      parent = body.comment.id;
    }
  });

  longIt(
    '404: the same for a parent on another record, of another account, unknown or deleted, and nothing is written',
    async () => {
      const { ada, hank } = workspace;
      const other = await givenThread(workspace, { users: [workspace.grace] });
      const foreign = await givenThread(workspace, { users: [hank] });
      const deleted = (await create({ html_content: 'a' })).body.comment.id;
      await workspace.grace.api.deleteComment({ params: { id: deleted } });
      const parents = [
        deleted,
        (await create({ html_content: 'a' }, workspace.grace, other.id)).body.comment.id,
        (await create({ html_content: 'a' }, hank, foreign.id)).body.comment.id,
        randomUUID(),
      ];
      const before = await commentsOf(thread.id);
      const responses = await Promise.all(
        parents.map(async (parent_comment_id) => {
          return (await failureOf(create({ html_content: 'a', parent_comment_id }, ada))).message;
        }),
      );
      expect(responses[0]).toMatch(/^404 record_not_found/);
      expect(new Set(responses).size).toBe(1);
      expect(await commentsOf(thread.id)).toEqual(before);
    },
  );

  longIt('404: a parent that is deleted between reading and writing gets no reply', async () => {
    const { table } = workspace;
    const parent = (await create({ html_content: 'parent' })).body.comment.id;
    const before = (await commentsOf(thread.id)).length;
    const transact = table.transact.bind(table);
    vi.spyOn(table, 'transact').mockImplementationOnce(async (writes) => {
      await table.delete(keys.comment('threads', thread.id, parent));
      await transact(writes);
    });
    const call = create({ html_content: 'reply', parent_comment_id: parent });
    expect(await codeOf(call)).toBe('404 record_not_found');
    expect(await commentsOf(thread.id)).toHaveLength(before - 1);
  });

  it('201: on a thread that is merged between reading and writing, is written on the merged thread', async () => {
    const { table, grace } = workspace;
    const [from, into] = [
      await givenThread(workspace, { users: [grace] }),
      await givenThread(workspace, { users: [grace] }),
    ];
    const transact = table.transact.bind(table);
    vi.spyOn(table, 'transact').mockImplementationOnce(async (writes) => {
      await table.update<Thread>(keys.record('threads', from.id), { set: { merged_into: into.id } });
      await table.delete(keys.threadEntry(grace.user.id, from.id));
      await transact(writes);
    });
    const { body } = await create({ html_content: 'late' }, grace, from.id);
    expect(body.comment.thread_id).toBe(into.id);
    expect(await commentsOf(into.id)).toEqual([body.comment]);
  });

  it.each([
    ['nothing', {}, { html_content: 'required' }],
    ['null', { html_content: null }, { html_content: 'required' }],
    ['blank html', { html_content: ' \n\t ' }, { html_content: 'required' }],
    ['a NUL in html', { html_content: 'a\0b' }, { html_content: 'invalid_format' }],
    ['only scripts', { html_content: '<script>x</script>'.repeat(10_000) }, { html_content: 'required' }],
    ['a lone surrogate in html', { html_content: 'a\udc00b' }, { html_content: 'invalid_format' }],
    ['900,000 nested tags', { html_content: '<i>'.repeat(900_000) }, { html_content: 'too_long' }],
    ['200,001 characters of html', { html_content: 'x'.repeat(200_001) }, { html_content: 'too_long' }],
    [
      'wrong types everywhere',
      { html_content: 1, json_content: { type: 'doc' }, parent_comment_id: 7 },
      { html_content: 'invalid', json_content: 'invalid', parent_comment_id: 'invalid' },
    ],
    [
      'all bad fields at once, even when html is empty only after sanitizing',
      { html_content: '<script></script>', json_content: '{', parent_comment_id: 'x' },
      { html_content: 'required', json_content: 'invalid_format', parent_comment_id: 'invalid_format' },
    ],
    ['null as parent', { html_content: 'a', parent_comment_id: null }, { parent_comment_id: 'invalid' }],
  ])('400: %s', async (_, comment, problems) => {
    expect(await problemsOf(create(comment))).toEqual(problems);
  });

  it.each([
    ['empty', '', 'invalid_format'],
    ['no JSON', 'hello', 'invalid_format'],
    ['cut off', '{"type":"doc"', 'invalid_format'],
    ['null', 'null', 'invalid_format'],
    ['an array', '[{"type":"doc"}]', 'invalid_format'],
    ['another type', '{"type":"paragraph"}', 'invalid_format'],
    ['a NUL', '{"type":"doc"}\0', 'invalid_format'],
    ['arrays without end', '['.repeat(200_000), 'invalid_format'],
    ['200,001 characters', `{"type":"doc"${' '.repeat(200_001 - 14)}}`, 'too_long'],
    ['nested 900,000 deep', `{"type":"doc","content":${'['.repeat(900_000)}`, 'too_long'],
    ['10,000 mentions', mentioning(...Array.from({ length: 10_000 }, () => randomUUID())), 'too_long'],
  ])('400: json_content that is %s', async (_, json_content, code) => {
    const problems = await problemsOf(create({ html_content: 'a', json_content }));
    expect(problems).toEqual({ json_content: code });
  });

  it('413 payload_too_large: 5 MB of html', async () => {
    const call = create({ html_content: 'x'.repeat(5 * 1024 * 1024) });
    expect(await codeOf(call)).toBe('413 payload_too_large');
  });

  it('400: a body that is nested 900,000 deep', async () => {
    const { write_key } = workspace.grace;
    const response = await raw(workspace.url, {
      method: 'POST',
      path: `/threads/${thread.id}/comments`,
      headers: [bearer(write_key), asJson],
      body: `{"comment":${'['.repeat(900_000)}${']'.repeat(900_000)}}`,
    });
    expect([response.status, fieldCodes(response)]).toEqual([400, { comment: 'invalid' }]);
  });

  it.each([[undefined], [null], ['hello'], [[]]])('400: %j instead of the wrapper', async (comment) => {
    expect(Object.keys(await problemsOf(create(comment)))).toEqual(['comment']);
  });

  it('400 not_allowed: a body key that names another thread', async () => {
    const params = { record_type: 'threads' as const, record_id: thread.id };
    const body = { thread_id: randomUUID(), comment: { html_content: 'a' } } as never;
    const call = workspace.grace.api.createComment({ params, body });
    expect(await problemsOf(call)).toEqual({ thread_id: 'not_allowed' });
  });

  it.each(commentable)('404: %s that do not exist', async (record_type) => {
    const params = { record_type, record_id: randomUUID() };
    const call = workspace.grace.api.createComment({ params, body: { comment: { html_content: 'a' } } });
    expect(await codeOf(call)).toBe('404 record_not_found');
  });

  longIt('404: a record the user does not see gets no comment', async () => {
    for (const user of [workspace.linus, workspace.hank])
      expect(await codeOf(create({ html_content: 'intruder' }, user))).toBe('404 record_not_found');
    expect((await commentsOf(thread.id)).map((each) => each.html_content)).not.toContain('intruder');
  });

  it('403 api_key_insufficient: with a read key', async () => {
    const params = { record_type: 'threads' as const, record_id: thread.id };
    const call = workspace.grace.reader.createComment({ params, body: { comment: { html_content: 'a' } } });
    expect(await codeOf(call)).toBe('403 api_key_insufficient');
  });

  longIt('500 comment_creation_failed: when the table fails, nothing is written', async () => {
    const before = await commentsOf(thread.id);
    vi.spyOn(workspace.table, 'transact').mockRejectedValueOnce(new Error('the network is down'));
    expect(await codeOf(create({ html_content: 'a' }))).toBe('500 comment_creation_failed');
    expect(await commentsOf(thread.id)).toEqual(before);
  });
});
