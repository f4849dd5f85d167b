import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailServersAt } from '#shared/providers/mail/servers.ts';
import { Dice } from '../support/dice.ts';
import { eml } from '../support/mail.ts';
import { ConnectedMailbox, someCall } from './connected-mailbox.ts';

/** A mailbox at Dovecot, while workers die: what is here equals `doveadm mailbox status`. */
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
/** 10,000 of them take a quarter of an hour. */
const MESSAGES = Number(process.env.MESSAGES ?? 500);
/** Calls of the table in which a worker dies that reads all of them. */
const CALLS = 6 * MESSAGES;

describe('a mailbox at Dovecot', () => {
  let box: ConnectedMailbox;
  const dice = new Dice(SEED);

  beforeAll(async () => {
    box = await ConnectedMailbox.start();
  });
  afterAll(() => box?.stop());

  const folders = ['INBOX', 'Projects/Übersicht', 'Archive', 'Sent', 'Spam'];
  let count = 0;
  async function add(most: number): Promise<void> {
    const { tls_port: port } = box.servers.dovecot;
    const secret = { password: box.password };
    const store = await mailServersAt(true).openStore(
      { host: 'localhost', port, tls: true, username: 'ada', secret },
      AbortSignal.timeout(1_800_000),
    );
    for (let i = 0; i < most; i++) {
      const id = `dovecot-${++count}@x`;
      const references = count > 9 && dice.chance(50) ? [`dovecot-${dice.int(1, count - 1)}@x`] : [];
      const text = 'x'.repeat(dice.int(1, 5_000));
      const raw = eml({ id, subject: `Mail ${count % 40}`, references, text });
      await store.append(dice.pick(folders), raw, [], new Date());
    }
    await store.close();
  }

  /** As the report says it: at the server, and here or left out. */
  const reported = async () => {
    const { folders: rows, messages_recovered, recent_failures } = await box.report();
    const here = (row: (typeof rows)[number]) => row.messages_imported + row.messages_skipped;
    return {
      there: Object.fromEntries(rows.map((row) => [row.name, row.messages_at_provider])),
      here: Object.fromEntries(rows.map((row) => [row.name, here(row)])),
      messages_recovered,
      failures: recent_failures.length,
    };
  };
  type Reported = Awaited<ReturnType<typeof reported>>;

  /** What people see while a worker reads, until it ends, dies, or its time is up. */
  async function readWatched(how: { full?: boolean; call?: number | undefined }): Promise<Reported[]> {
    const seen: Reported[] = [];
    let reading = true;
    const work = box.read(how).finally(() => {
      reading = false;
    });
    while (reading) {
      const report = await reported().catch(() => undefined);
      if (report) seen.push(report);
      // Some minutes: the run leaves the rest to another one.
      if (dice.chance(10)) box.pass(300_000);
    }
    await work;
    return seen;
  }

  it(`has what is there, whenever workers die (seed ${SEED}, ${MESSAGES} messages)`, {
    timeout: 3_600_000,
  }, async () => {
    await box.servers.dovecot.doveadm('mailbox', 'create', '-u', 'ada', 'Projects/Übersicht');
    await add(MESSAGES);
    for (let round = 0; round < 8; round++) {
      const before = await reported();
      const seen = await readWatched({ full: dice.chance(30), call: someCall(dice, CALLS, 80) });
      const after = await reported();
      const counts = await box.servers.counts('ada');
      for (const each of [...seen, after].filter((one) => !isDeepStrictEqual(one, before))) {
        expect(each.there).toEqual(counts);
        for (const [name, here] of Object.entries(each.here))
          expect(here).toBeLessThanOrEqual(counts[name] ?? 0);
      }
      if (round < 7) await add(dice.int(1, 20));
    }
    await box.settle();
    const counts = await box.servers.counts('ada');
    expect(await reported()).toMatchObject({ there: counts, here: counts, failures: 0 });
    const inSpam = counts.Spam ?? 0;
    const expected = { status: 'active', messages_imported: count - inSpam, messages_failed: 0 };
    expect(await box.mailbox()).toMatchObject(expected);
  });

  it('follows what is deleted and renamed there', async () => {
    await box.servers.dovecot.doveadm('expunge', '-u', 'ada', 'mailbox', 'INBOX', '1:5');
    await box.servers.dovecot.doveadm('mailbox', 'rename', '-u', 'ada', 'Archive', 'Old/Archive');
    await box.settle();
    const counts = await box.servers.counts('ada');
    expect(await reported()).toMatchObject({ there: counts, here: counts, failures: 0 });
    expect(await box.mailbox()).toMatchObject({ messages_imported: count - 5 - (counts.Spam ?? 0) });
  });
});
