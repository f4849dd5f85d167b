import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { givenAccount } from '../../support/accounts.ts';
import { codeOf } from '../../support/failures.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

const document = (slug: string, version: string, required: boolean) => ({
  ...{ slug, version, required, title: `The ${slug}` },
  url: `https://acme.example/${slug}`,
});

describe('POST /terms_assents', () => {
  let workspace: Workspace;
  let user: TestUser;
  let other: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    [user, other] = (await givenAccount(workspace, 2)) as [TestUser, TestUser];
  });
  beforeEach(() => {
    workspace.ctx.config.terms = [
      document('terms', crypto.randomUUID(), true),
      document('privacy', '1', true),
      document('news', '1', false),
    ];
  });
  afterAll(() => workspace.stop());

  const current = (...slugs: string[]) =>
    workspace.ctx.config.terms.filter(({ slug }) => slugs.includes(slug));
  const accept = (documents: object | undefined, method: string | undefined = 'clickwrap', by = user) =>
    by.session.createTermsAssent({ body: { terms_assent: { documents, method } as never } });
  const both = () => current('terms', 'privacy');

  it('everything but the terms and the sessions waits, from the next request of every key', async () => {
    for (const client of [user.api, user.reader, user.session])
      expect(await codeOf(client.listTags())).toBe('403 terms_acceptance_required');
    expect((await user.session.listTermsAssents()).status).toBe(200);
    expect((await user.session.listSessions()).status).toBe(200);
    expect((await accept(both())).status).toBe(201);
    for (const client of [user.api, user.reader, user.session])
      expect((await client.listTags()).status).toBe(200);
    expect((await user.reader.retrieveCurrentUser()).body.user.terms_accepted).toBe(true);
    expect(await codeOf(other.reader.listTags())).toBe('403 terms_acceptance_required');
  });

  it('201: what was accepted, when and from where, and it is kept for admins', async () => {
    const { terms_assents } = (await accept(both())).body;
    const [terms] = current('terms');
    expect(terms_assents).toHaveLength(2);
    expect(terms_assents[0]).toMatchObject({
      ...{ user_id: user.user.id, document: 'terms', version: terms?.version, method: 'clickwrap' },
      ...{ ip_address: '127.0.0.1', user_agent: 'node' },
    });
    const { records } = (await user.session.listAuditEvents()).body.collection;
    const kept = records.filter(({ subject }) => subject.name === terms?.version);
    expect(kept).toMatchObject([
      { action: 'terms_accepted', user_id: user.user.id, subject: { id: 'terms' } },
    ]);
  });

  it('201: accepting again, at once too, keeps the first time', async () => {
    const all = await Promise.all([accept(both()), accept(both()), accept(both())]);
    const first = await accept(both());
    workspace.setTime(new Date(Date.now() + 60_000));
    expect((await accept(both())).body).toEqual(first.body);
    workspace.setTime(undefined);
    expect(new Set(all.map(({ body }) => body.terms_assents[0]?.id)).size).toBe(1);
    const version = current('terms')[0]?.version;
    const { terms_assents } = (await user.session.listTermsAssents()).body;
    expect(terms_assents.filter((each) => each.version === version)).toHaveLength(1);
  });

  it('201: a new version of one document is accepted alone', async () => {
    await accept(both());
    workspace.ctx.config.terms = [document('terms', crypto.randomUUID(), true), ...current('privacy')];
    expect(await codeOf(user.reader.listTags())).toBe('403 terms_acceptance_required');
    await accept(current('terms'));
    expect((await user.reader.listTags()).status).toBe(200);
  });

  it('a document that is not required stops nobody', async () => {
    workspace.ctx.config.terms = [document('news', crypto.randomUUID(), false)];
    expect((await user.reader.listTags()).status).toBe(200);
    const { documents } = (await user.session.listTermsAssents()).body;
    expect(documents).toMatchObject([{ slug: 'news', required: false, accepted: false }]);
  });

  it.each([
    ['no documents', () => [undefined], 'documents_required'],
    ['an empty list', () => [[]], 'documents_required'],
    ['an unknown document', () => [[{ slug: 'rules', version: '1' }, ...both()]], 'unknown_document'],
    [
      'an older version',
      () => [[{ slug: 'terms', version: '0' }, ...current('privacy')]],
      'unknown_document',
    ],
    ['a required one alone', () => [current('terms')], 'incomplete_acceptance'],
    ['another method', () => [both(), 'browsewrap'], 'invalid_acceptance_method'],
    ['no method', () => [both(), ''], 'invalid_acceptance_method'],
  ] as [string, () => [object | undefined, string?], string][])('400: %s', async (_, sent, code) => {
    workspace.ctx.config.terms = workspace.ctx.config.terms.map((each) => ({
      ...each,
      version: crypto.randomUUID(),
    }));
    const before = (await user.session.listTermsAssents()).body;
    expect(await codeOf(accept(...sent()))).toBe(`400 ${code}`);
    expect((await user.session.listTermsAssents()).body).toEqual(before);
  });

  it('403 api_key_insufficient: a key accepts nothing', async () => {
    const body = { terms_assent: { documents: both(), method: 'clickwrap' } };
    expect(await codeOf(user.api.createTermsAssent({ body }))).toBe('403 api_key_insufficient');
  });
});
