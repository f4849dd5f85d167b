import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApiFailure } from '#shared/api/client.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { keys } from '#shared/table/keys.ts';
import { type Answer, CaldavServer } from '../../support/caldav-server.ts';
import { connect, runSync } from '../../support/calendar-sync.ts';
import { shareMailbox } from '../../support/events.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { givenMailbox } from '../../support/mail.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('PATCH /mailboxes/{id}/credentials', () => {
  let workspace: Workspace;
  let server: CaldavServer;
  let mailbox: string;
  beforeAll(async () => {
    workspace = await startWorkspace();
    server = await new CaldavServer().start();
    server.calendar('Ferries');
    server.calendar(
      'Tasks',
      '<cal:supported-calendar-component-set><cal:comp name="VTODO"/></cal:supported-calendar-component-set>',
    );
    workspace.ctx.config.calendar_hosts.push(server.host);
    mailbox = await givenMailbox(workspace, workspace.grace, workspace.account_id);
  });
  afterAll(async () => {
    await server.stop();
    await workspace.stop();
  });
  beforeEach(() => {
    server.instead = () => undefined;
  });

  const right = () => ({ url: server.url, password: server.password });
  const send = (caldav: object) =>
    workspace.grace.session.updateMailboxCredentials({
      params: { id: mailbox },
      body: { mailbox: { caldav } } as never,
    });

  it('200: the calendars are there, those for tasks are not, and nobody reads the password again', async () => {
    const { grace, table, account_id } = workspace;
    const { body } = await connect(grace, mailbox, right());
    expect(body.mailbox).toMatchObject({ calendar_sync: true, status: 'active', lock: null });
    const query = { mailbox_id: mailbox };
    const { records } = (await grace.reader.listCalendars({ query })).body.collection;
    expect(records.map(({ name, primary }) => [name, primary])).toEqual([
      ['Grace Hopper', true],
      ['Ferries', false],
    ]);
    expect(JSON.stringify(body)).not.toContain(server.password);
    const stored = await table.get<Mailbox>(keys.mailbox(account_id, mailbox));
    expect(JSON.stringify(stored)).not.toContain(server.password);
    await runSync(workspace);
    await connect(grace, mailbox, right());
    expect((await grace.reader.listCalendars({ query })).body.collection.records.map(({ id }) => id)).toEqual(
      records.map(({ id }) => id),
    );
  });

  it('a sealed password opens in its own mailbox alone', async () => {
    const { grace, table, account_id } = workspace;
    await connect(grace, mailbox, right());
    const other = await givenMailbox(workspace, grace, account_id);
    const { calendar_server } = (await table.get<Mailbox>(keys.mailbox(account_id, mailbox))) as Mailbox;
    await table.update<Mailbox>(keys.mailbox(account_id, other), {
      set: { calendar_server, calendar_sync: true },
    });
    server.asked.length = 0;
    await grace.api.syncMailbox({ params: { mailbox_id: other }, body: {} });
    await runSync(workspace);
    const read = (await grace.reader.retrieveMailbox({ params: { id: other } })).body.mailbox;
    expect(read.sync.last_error).toMatchObject({ code: 'credentials_refused' });
  });

  it('403 for all but the owner, admins too; 404 without access; not by keys', async () => {
    const { ada, grace, linus, hank } = workspace;
    await shareMailbox(grace, mailbox, ada, 'edit');
    expect(await codeOf(connect(ada, mailbox, right()))).toBe('403 permission_denied');
    for (const user of [linus, hank])
      expect(await codeOf(connect(user, mailbox, right()))).toBe('404 record_not_found');
    expect(await codeOf(connect(grace, randomUUID(), right()))).toBe('404 record_not_found');
    const body = { mailbox: { caldav: { username: 'ada', ...right() } } };
    const byKey = grace.api.updateMailboxCredentials({ params: { id: mailbox }, body });
    expect(await codeOf(byKey)).toMatch(/^40[13] /);
  });

  it('400: what does not fit', async () => {
    expect(await problemsOf(send({}))).toEqual({
      ...{ 'caldav.url': 'required', 'caldav.username': 'required', 'caldav.password': 'required' },
    });
    const wrong = { url: 'ftp://a.example', username: 'a:b', password: 'a\nb' };
    expect(Object.keys(await problemsOf(send(wrong)))).toEqual([
      'caldav.url',
      'caldav.username',
      'caldav.password',
    ]);
    const inside = { url: 'https://ada:secret@a.example/', username: 'ada', password: 'x' };
    expect(Object.keys(await problemsOf(send(inside)))).toEqual(['caldav.url']);
  });

  it.each([
    ...[
      'https://127.0.0.1/',
      'https://169.254.169.254/',
      'https://[::1]/',
      'https://localhost/',
      'https://2130706433/',
    ],
    ...[
      'http://caldav.example/',
      'https://caldav.example:9001/',
      'http://127.0.0.1:9001/2018-06-01/runtime/',
    ],
  ])('400: %s is not called', async (url) => {
    expect(await problemsOf(send({ url, username: 'ada', password: 'x' }))).toEqual({
      'caldav.url': 'invalid',
    });
  });

  const redirect = (location: string): Answer => ({ status: 302, headers: { Location: location } });
  const home = (href: string): Answer => ({
    status: 207,
    body: `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:response><d:href>/</d:href><d:propstat><d:prop><c:calendar-home-set><d:href>${href}</d:href></c:calendar-home-set></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>`,
  });

  it.each<[string, Answer, string]>([
    ['a redirect to a private address', redirect('https://169.254.169.254/'), 'caldav.url'],
    ['a redirect to another site', redirect('https://evil.example/'), 'caldav.url'],
    ['a redirect to itself', redirect('/'), 'caldav.url'],
    ['calendars at another site', home('https://evil.example/ada/'), 'caldav.url'],
    ['calendars at the runtime of the function', home('http://127.0.0.1:9001/'), 'caldav.url'],
    ['a page', { status: 200, body: '<html></html>' }, 'caldav.url'],
    ['no XML', { status: 207, body: 'hello' }, 'caldav.url'],
    ['entities', { status: 207, body: '<!DOCTYPE a [<!ENTITY b "c">]><multistatus/>' }, 'caldav.url'],
    ['more than it may', { status: 207, body: 'x'.repeat(25 * 1024 * 1024) }, 'caldav.url'],
    ['a refusal', { status: 401 }, 'caldav.password'],
  ])('400: a server that answers with %s', async (_, answer, field) => {
    server.instead = () => answer;
    const { body } = await workspace.grace.reader.retrieveMailbox({ params: { id: mailbox } });
    expect(await problemsOf(send({ username: 'ada', ...right() }))).toEqual({ [field]: 'invalid' });
    const after = await workspace.grace.reader.retrieveMailbox({ params: { id: mailbox } });
    expect(after.body).toEqual(body);
  });

  it('502 provider_failed while the server does not answer', async () => {
    server.instead = () => ({ status: 500, body: 'secret of the server' });
    expect(await codeOf(connect(workspace.grace, mailbox, right()))).toBe('502 provider_failed');
    server.instead = () => ({ status: 503, headers: { 'Retry-After': '9' } });
    const failing = connect(workspace.grace, mailbox, right());
    expect(await codeOf(failing)).toBe('502 provider_failed');
    const failure: ApiFailure = await failing.catch((failed) => failed);
    expect(failure.headers.get('Retry-After')).toBe('9');
  });
});
