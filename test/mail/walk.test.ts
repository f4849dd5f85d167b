import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dice } from '../support/dice.ts';
import { eml, listAllThreads } from '../support/mail.ts';
import { bothSides } from './both-sides.ts';
import { ConnectedMailbox, someCall } from './connected-mailbox.ts';
import { OtherProgram } from './other-program.ts';

/** People change a mailbox at its server and here, in any order, while workers and the server die. */
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const STEPS = Number(process.env.STEPS ?? 500);
/** Steps after which both sides are compared. */
const LEG = 50;

describe('a mailbox that is changed on both sides', () => {
  let box: ConnectedMailbox;
  let other: OtherProgram;
  const dice = new Dice(SEED);
  beforeAll(async () => {
    box = await ConnectedMailbox.start();
    other = new OtherProgram(box, dice);
  });
  afterAll(async () => {
    await other?.stop();
    await box?.stop();
  });

  it('has the same marks on both sides, and keeps other flags', async () => {
    const { doveadm, deliver } = box.servers.dovecot;
    await deliver('ada', eml({ id: 'marks@x', subject: 'Marks', text: 'marks@x' }));
    await doveadm('flags', 'add', '-u', 'ada', '\\Answered $Label1', 'mailbox', 'INBOX', 'all');
    await box.read();
    const find = async () => (await listAllThreads(box.ada.reader, { mailbox_id: box.id }))[0];
    const params = { thread_id: `${(await find())?.id}` };
    const here = async () => [(await find())?.read, (await find())?.flagged];
    const there = async () => {
      const [, line = ''] = (
        await doveadm('-f', 'tab', 'fetch', '-u', 'ada', 'flags', 'mailbox', 'INBOX', 'all')
      ).split('\n');
      return line.split(' ').filter((flag) => flag !== '\\Recent');
    };
    const other = ['$Label1', '\\Answered'];
    expect(await here()).toEqual([false, false]);
    const { api } = box.ada;
    for (const change of [api.markThreadRead, api.flagThread]) await change({ params });
    await box.write();
    expect((await there()).sort()).toEqual([...other, '\\Flagged', '\\Seen'].sort());
    await box.read();
    expect(await here()).toEqual([true, true]);
    await doveadm('flags', 'remove', '-u', 'ada', '\\Seen \\Flagged', 'mailbox', 'INBOX', 'all');
    await box.read();
    expect(await here()).toEqual([false, false]);
    await box.write();
    expect((await there()).sort()).toEqual(other);
  });

  it('an answer that was read there ends the mark of own mail that only this side has', async () => {
    const { doveadm, deliver } = box.servers.dovecot;
    const from = `Ada <${box.ada.user.email_address}>`;
    await deliver('ada', eml({ id: 'own@x', subject: 'Own', text: 'own@x', from }));
    await box.read();
    const find = async () =>
      (await listAllThreads(box.ada.reader, { mailbox_id: box.id })).find(({ subject }) => subject === 'Own');
    await box.ada.api.markThreadUnread({ params: { thread_id: `${(await find())?.id}` } });
    await box.settle();
    expect((await find())?.read).toBe(false);
    const date = 'Tue, 03 Nov 2026 10:00:00 +0000';
    const answer = { id: 'answer@x', subject: 'Re: Own', text: 'answer@x', references: ['own@x'], date };
    await deliver('ada', eml(answer));
    await doveadm('flags', 'add', '-u', 'ada', '\\Seen', 'mailbox', 'INBOX', 'all');
    await box.settle();
    expect(await find()).toMatchObject({ message_count: 2, read: true });
    const { here, there } = await bothSides(box);
    expect(here).toEqual(there);
  });

  /** Where the message is when the mark is written to it, which no reading has seen yet. */
  it.each([
    ['Archive', 'Archive', 'Archive'],
    ['Trash', 'Trash', 'Trash'],
    ['nowhere', 'Trash', undefined],
  ])('a mark of a message that was moved before: %s', async (name, to, at) => {
    const { doveadm, deliver } = box.servers.dovecot;
    const mail = (n: number) => ({ id: `${name}-${n}@x`, subject: name, text: `${name}-${n}@x` });
    await deliver('ada', eml(mail(1)));
    await deliver(
      'ada',
      eml({ ...mail(2), references: [`${name}-1@x`], date: 'Tue, 03 Nov 2026 10:00:00 +0000' }),
    );
    await box.read();
    const threads = await listAllThreads(box.ada.reader, { mailbox_id: box.id });
    const thread_id = `${threads.find(({ subject }) => subject === name)?.id}`;
    const newest = ['HEADER', 'Message-ID', `<${name}-2@x>`];
    await doveadm('move', '-u', 'ada', to, 'mailbox', 'INBOX', ...newest);
    if (at === undefined) await doveadm('expunge', '-u', 'ada', 'mailbox', to, ...newest);
    await box.ada.api.flagThread({ params: { thread_id } });
    await box.write();
    if (at) await doveadm('flags', 'remove', '-u', 'ada', '\\Flagged', 'mailbox', at, ...newest);
    await box.settle();
    const { here, there } = await bothSides(box);
    expect(here).toEqual(there);
    expect(here.threads.filter((each) => each.includes(`${name}-1@x`) && each.includes('flagged'))).toEqual(
      [],
    );
  });

  it('a mark of a message whose reader died', async () => {
    const { doveadm, deliver } = box.servers.dovecot;
    for (let call = 5; call <= 60; call += 5) {
      const id = `begun-${call}@x`;
      await deliver('ada', eml({ id, subject: id, text: id }));
      await box.read({ call });
      const threads = await listAllThreads(box.ada.reader, { mailbox_id: box.id });
      const found = threads.find(({ subject }) => subject === id);
      if (!found) continue;
      await box.ada.api.flagThread({ params: { thread_id: `${found.id}` } });
      await box.write();
      await doveadm('flags', 'remove', '-u', 'ada', '\\Flagged', 'mailbox', 'INBOX', 'all');
    }
    await box.settle();
    const { here, there } = await bothSides(box);
    expect(here).toEqual(there);
    expect(here.threads.filter((each) => each.includes('begun') && each.includes('flagged'))).toEqual([]);
  });

  let threads: string[] = [];
  const label = async (): Promise<string> => {
    if (threads.length === 0) return 'nothing';
    const params = { thread_id: dice.pick(threads) };
    const { api } = box.ada;
    const calls = {
      read: () => api.markThreadRead({ params }),
      unread: () => api.markThreadUnread({ params }),
      flag: () => api.flagThread({ params }),
      unflag: () => api.unflagThread({ params }),
    };
    const name = dice.pick(Object.keys(calls) as (keyof typeof calls)[]);
    // A thread that nobody sees any more.
    const done = await calls[name]().then(
      () => '',
      (error: { status?: number }) => (error.status === 404 ? ' (gone)' : Promise.reject(error)),
    );
    return `${name}${done}`;
  };
  const read = async (): Promise<string> => {
    const call = someCall(dice, 400);
    await box.read({ full: dice.chance(20), call });
    if (call === undefined)
      threads = (await listAllThreads(box.ada.reader, { mailbox_id: box.id })).map(({ id }) => `${id}`);
    return `dies at ${call}`;
  };
  const write = async (): Promise<string> => {
    const call = someCall(dice, 40);
    await box.write({ call });
    return `dies at ${call}`;
  };
  const kill = async (): Promise<string> => {
    await box.servers.dovecot.kill();
    await read();
    await write();
    await box.servers.dovecot.start();
    return '';
  };
  const steps: [number, string, () => Promise<string>][] = [
    [18, 'arrive', () => other.arrive()],
    [18, 'mark', () => other.mark()],
    [9, 'move', () => other.move()],
    [4, 'copy', () => other.copy()],
    [6, 'readAndFile', () => other.readAndFile()],
    [5, 'restore', () => other.restore()],
    [5, 'remove', () => other.remove()],
    [1, 'rename', () => other.rename()],
    [1, 'replace', () => other.replace()],
    [16, 'label', label],
    [10, 'write', write],
    [12, 'read', read],
    [1, 'kill', kill],
  ];
  const chances = steps.flatMap((step) => Array.from({ length: step[0] }, () => step));

  it(`ends the same on both (seed ${SEED}, ${STEPS} steps)`, { timeout: 1_200_000 }, async () => {
    const done: string[] = [];
    for (let step = 1; step <= STEPS; step++) {
      const [, name, work] = dice.pick(chances);
      done.push(`${step} ${name}: ${await work()}`);
      if (step % LEG !== 0 && step !== STEPS) continue;
      await box.settle();
      const { here, there } = await bothSides(box);
      expect(here, `seed ${SEED}\n${done.slice(-LEG).join('\n')}`).toEqual(there);
    }
  });
});
