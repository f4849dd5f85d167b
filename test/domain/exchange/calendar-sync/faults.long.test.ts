import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CaldavServer } from '../../../support/caldav-server.ts';
import { givenSynced, runSync, syncNow } from '../../../support/calendar-sync.ts';
import { allEvents } from '../../../support/events.ts';
import { failNth } from '../../../support/faults.ts';
import { calendarFile, vevent } from '../../../support/ics.ts';
import { STRIDE } from '../../../support/long.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

describe('reading and writing calendars, whichever call to the table fails', () => {
  let workspace: Workspace;
  let server: CaldavServer;
  let mailbox_id: string;
  let path: string;
  beforeAll(async () => {
    workspace = await startWorkspace();
    server = await new CaldavServer().start();
    path = server.calendar('Ferries');
    mailbox_id = await givenSynced(workspace, workspace.ada, server);
  });
  afterAll(async () => {
    workspace.setTime(undefined);
    await server.stop();
    await workspace.stop();
  });

  const events = () => allEvents(workspace.ada, { mailbox_id, starts_after: '2026-11-01T00:00:00Z' });
  const write = (uid: string, name: string) =>
    server.write(`${path}${uid}.ics`, calendarFile([vevent(uid, `SUMMARY:${name}`)]));

  let minutes = 0;
  /** False when there was no such call. */
  async function interrupted(nth: number): Promise<boolean> {
    const of = (name: string) => `${name}-${nth}`;
    for (const uid of ['changed', 'deleted']) write(of(uid), of(uid));
    await syncNow(workspace, workspace.ada, mailbox_id);
    const changed = (await events()).find(({ name }) => name === of('changed'));
    await workspace.ada.api.updateCalendarEvent({
      params: { id: `${changed?.id}` },
      body: { calendar_event: { name: of('ours') } },
    });
    server.remove(`${path}${of('deleted')}.ics`);
    write(of('new'), of('theirs'));
    await workspace.ada.api.syncMailbox({ params: { mailbox_id }, body: {} });
    const fault = failNth(workspace.table, nth);
    await runSync(workspace).catch(() => undefined);
    fault.remove();
    // A worker that died holds its job for some minutes.
    workspace.setTime(new Date(Date.now() + (minutes += 15) * 60_000));
    await runSync(workspace);
    await syncNow(workspace, workspace.ada, mailbox_id);
    expect(server.read(`${path}${of('changed')}.ics`), of('written')).toContain(`SUMMARY:${of('ours')}`);
    const names = (await events()).map(({ name }) => `${name}`).filter((name) => name.endsWith(`-${nth}`));
    expect(names.sort()).toEqual([of('ours'), of('theirs')]);
    return fault.hit;
  }

  it('end as if none had failed', { timeout: 600_000 }, async () => {
    for (let nth = 0; await interrupted(nth); nth += STRIDE) {
      for (const each of server.paths(path)) server.remove(each);
      await syncNow(workspace, workspace.ada, mailbox_id);
    }
  });
});
