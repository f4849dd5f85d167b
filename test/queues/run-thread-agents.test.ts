import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AgentSlug } from '#shared/domain/assistant/agents/agent.ts';
import { type ThreadWork, threadWork } from '#shared/domain/assistant/agents/thread-work.ts';
import type { Thread } from '#shared/domain/mail/threads/thread.ts';
import { enqueue, sweepJobs } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import { handler } from '../../functions/queues/run-thread-agents.ts';
import { dieAt, failCall, refuse } from '../support/faults.ts';
import { deliverMessages, openJobs } from '../support/jobs.ts';
import { longIt, STRIDE } from '../support/long.ts';
import { eml, givenMailbox, importMail } from '../support/mail.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/** Queue `run-thread-agents`: automatic agents on imported threads. */

let workspace: Workspace;
let ada: TestUser;
let grace: TestUser;
let mailbox: string;
let graces: string;
let number = 0;

beforeAll(async () => {
  workspace = await startWorkspace({ mail: true, own_table: true });
  ({ ada, grace } = workspace);
  [mailbox, graces] = [await givenMailbox(workspace, ada), await givenMailbox(workspace, grace)];
});
afterAll(() => workspace?.stop());
beforeEach(() => {
  number++;
});
afterEach(async () => {
  workspace.setTime(undefined);
  for (const agent_slug of ['auto_tag', 'auto_summarize']) await configure(agent_slug, { enabled: false });
});

const configure = (agent_slug: string, agent_configuration: object) =>
  ada.api.updateAgentConfiguration({ params: { agent_slug }, body: { agent_configuration } });
const openWork = () => openJobs<ThreadWork>(workspace.table, 'run-thread-agents');
/** Enqueues a job without sending its message. */
async function enqueueWork(thread_ids: string[]): Promise<ThreadWork | undefined> {
  const [work] = await threadWork(workspace.ctx, workspace.account_id, thread_ids);
  if (work) await workspace.table.transact([enqueue(work)]);
  return work;
}
const workIsDone = () => expect.poll(async () => (await openWork()).length, { timeout: 20_000 }).toBe(0);

const text =
  'Could you send the printed labels by Friday 27 November? We promised them to the harbour office.';
async function imported(draft: object = {}, owner = ada, into = mailbox): Promise<string> {
  const subject = `Labels ${number}`;
  await importMail(workspace, owner, into, [eml({ id: `${number}@x`, subject, text, ...draft })]);
  await workIsDone();
  return idOf(subject, owner);
}
async function twoImported(): Promise<[string, string]> {
  const first = await imported();
  number++;
  return [first, await imported()];
}
async function idOf(subject: string, user = ada): Promise<string> {
  const { records } = (await user.reader.listThreads({ query: { subject } })).body.collection;
  return records[0]?.id as string;
}
const shown = async (id: string, user = ada) =>
  (await user.reader.retrieveThread({ params: { id } })).body.thread;

describe('auto_summarize', () => {
  it('is off until an admin turns it on: headline and summary stay null', async () => {
    const id = await imported();
    expect(await shown(id)).toMatchObject({ headline: null, summary: null });
  });

  longIt.each(['suggest', 'auto_apply'])('fills headline and summary in mode %s', async (mode) => {
    await configure('auto_summarize', { enabled: true, mode });
    // Within the window of the open threads.
    const id = await imported({ date: new Date().toUTCString().replace('GMT', '+0000') });
    const { headline, summary } = await shown(id);
    expect(headline).toContain('Labels');
    expect(summary).toMatch(/printed labels by Friday 27 November/);
    const listed = (await ada.reader.listThreads({ query: { subject: `Labels ${number}` } })).body.collection;
    expect(listed.records[0]).toMatchObject({ headline, summary });
    const { inbox } = (await ada.reader.listOpenThreads()).body;
    const entries = [...inbox.unread, ...inbox.flagged, ...inbox.other];
    expect(entries.find((entry) => entry.id === id)).toMatchObject({ headline, summary });
  });

  it('has nothing to do where the deployment has no assistant', async () => {
    const { config } = workspace.ctx;
    const { assistant } = config;
    await configure('auto_summarize', { enabled: true });
    config.assistant = { ...assistant, provider: 'none' };
    const id = await imported();
    config.assistant = assistant;
    expect((await shown(id)).summary).toBeNull();
  });

  longIt('summarizes again when more mail arrives', async () => {
    await configure('auto_summarize', { enabled: true });
    const id = await imported();
    const before = await shown(id);
    await importMail(workspace, ada, mailbox, [
      eml({
        id: `${number}-2@x`,
        in_reply_to: `${number}@x`,
        subject: `Re: Labels ${number}`,
        date: 'Tue, 03 Nov 2026 10:00:00 +0000',
        text: 'We no longer need them: the harbour office has closed.',
      }),
    ]);
    await workIsDone();
    const after = await shown(id);
    expect(after.summary).not.toBe(before.summary);
    expect(after.summary).toContain('closed');
  });

  longIt('summarizes for each user only messages that the user sees', async () => {
    await configure('auto_summarize', { enabled: true });
    const both = { to: 'ada@acme.example, grace@acme.example' };
    const id = await imported(both);
    await imported(both, grace, graces);
    await importMail(workspace, grace, graces, [
      eml({
        id: `${number}-3@x`,
        in_reply_to: `${number}@x`,
        subject: `Re: Labels ${number}`,
        date: 'Tue, 03 Nov 2026 10:00:00 +0000',
        to: 'grace@acme.example',
        text: 'Between us: the secret budget is 900.',
      }),
    ]);
    await workIsDone();
    expect(JSON.stringify(await shown(id, grace))).toContain('secret budget');
    const adas = await shown(id);
    expect(adas.summary).not.toBeNull();
    expect(JSON.stringify(adas)).not.toContain('secret budget');
  });

  it('does nothing for a current summary, on any repeated delivery', async () => {
    await configure('auto_summarize', { enabled: true });
    const id = await imported();
    const usage = () =>
      workspace.table.get<{ answers: number }>(
        keys.assistantUsage(workspace.account_id, new Date().toISOString().slice(0, 7)),
      );
    const before = await usage();
    await enqueueWork([id, id]);
    workspace.setTime(new Date(Date.now() + 16 * 60_000));
    expect(await sweepJobs(workspace.ctx)).toBe(1);
    await workIsDone();
    expect(await usage()).toEqual(before);
  });

  longIt('writes the same summary after a failure at any call and a second delivery', async () => {
    const [first, second] = await twoImported();
    await configure('auto_summarize', { enabled: true });
    for (let call = 1, reached = true; reached; call += STRIDE) {
      for (const when of ['before', 'after'] as const) {
        for (const id of [first, second])
          await workspace.table.update<Thread>(keys.record('threads', id), { remove: ['summaries'] });
        const job = await enqueueWork([first, second]);
        const fault = failCall(workspace.table, call, when);
        const failed = await deliver(job);
        fault.remove();
        reached = fault.hit;
        expect(failed).toBe(reached ? 1 : 0);
        expect(await deliver(job)).toBe(0);
        for (const id of [first, second]) expect((await shown(id)).summary).toContain('printed labels');
        expect(await openWork()).toEqual([]);
      }
    }
  });
  async function deliver(job: ThreadWork | undefined, remaining_ms = 600_000): Promise<number> {
    return (await deliverMessages(handler, [{ job_id: job?.id }], remaining_ms)).failed.length;
  }

  longIt('continues with another message when the time is up', async () => {
    const ids = await twoImported();
    await configure('auto_summarize', { enabled: true });
    const job = await enqueueWork(ids);
    await deliver(job, 1_000);
    await workIsDone();
    for (const id of ids) expect((await shown(id)).summary).not.toBeNull();
  });

  longIt('looks at what is behind a thread that stops each run', async () => {
    const [first, second] = await twoImported();
    await configure('auto_summarize', { enabled: true });
    const job = await enqueueWork([first, second]);
    const death = dieAt(workspace.table, first);
    for (let run = 0; run < 2; run++) {
      expect(await deliver(job)).toBe(1);
      death.revive();
    }
    expect(await deliver(job)).toBe(0);
    await workIsDone();
    death.remove();
    expect((await shown(first)).summary).toBeNull();
    expect((await shown(second)).summary).toContain('printed labels');
  });

  longIt('looks at a thread after any number of runs that the table stopped', async () => {
    const id = await imported();
    await configure('auto_summarize', { enabled: true });
    const job = await enqueueWork([id]);
    for (let run = 0; run < 4; run++) {
      const outage = refuse(workspace.table, 'QueryCommand', { type: 'ThrottlingException' });
      expect(await deliver(job)).toBe(1);
      outage.remove();
    }
    expect(await deliver(job)).toBe(0);
    expect((await shown(id)).summary).toContain('printed labels');
  });

  it.each(['auto_enrich', 'auto_meeting'] satisfies AgentSlug[])(
    '%s has nothing to do with threads',
    async (agent_slug) => {
      await configure(agent_slug, { enabled: true });
      expect(await enqueueWork(['x'])).toBeUndefined();
      await configure(agent_slug, { enabled: false });
    },
  );
});

describe('auto_tag', () => {
  let invoices: string;
  beforeAll(async () => {
    const tag = async (name: string, applicable_to_interactions: boolean) =>
      (await ada.api.createTag({ body: { tag: { name, applicable_to_interactions } } })).body.tag.id;
    invoices = await tag('Invoice', true);
    await tag('Payment', false);
  });

  const mail = {
    text: 'The invoice for our boiler is attached. Its payment is due: please pay the invoice by Friday.',
  };
  const tagsOf = async (id: string) => ((await shown(id)).tags ?? []).map(({ name }) => name);
  const proposals = async (id: string, user = ada) => {
    const query = { record_type: 'thread', record_id: id, status: 'all' } as const;
    return (await user.reader.listProposals({ query })).body.collection.records;
  };
  const told = async (event: string) =>
    (await ada.reader.listNotifications({ query: { slice: event } })).body.collection.records;

  it('does nothing while it is off', async () => {
    const id = await imported(mail);
    expect([await tagsOf(id), await proposals(id)]).toEqual([[], []]);
  });

  longIt('proposes tags that are applicable_to_interactions in mode suggest, and only those', async () => {
    await configure('auto_tag', { enabled: true, mode: 'suggest' });
    const id = await imported(mail);
    expect(await tagsOf(id)).toEqual([]);
    const [proposal, ...others] = await proposals(id);
    expect(others).toEqual([]);
    expect(proposal).toMatchObject({
      status: 'pending',
      action_type: 'tag.apply',
      agent_slug: 'auto_tag',
      tag_id: invoices,
      user_id: ada.user.id,
      source: { type: 'thread', id },
    });
    expect((await told('proposal_created'))[0]).toMatchObject({ prompting_user_id: null });
    await ada.api.acceptProposal({ params: { proposal_id: proposal?.id as string } });
    expect(await tagsOf(id)).toEqual(['Invoice']);
  });

  it('applies them in mode auto_apply, and tells the owner of the mailbox', async () => {
    await configure('auto_tag', { enabled: true, mode: 'auto_apply' });
    const id = await imported(mail);
    expect(await tagsOf(id)).toEqual(['Invoice']);
    const [proposal] = await proposals(id);
    expect(proposal).toMatchObject({ status: 'applied', agent_slug: 'auto_tag', actions: ['undo'] });
    expect((await told('proposal_applied'))[0]).toMatchObject({ prompting_user_id: null });
  });

  it('does not change threads that no tag fits', async () => {
    await configure('auto_tag', { enabled: true, mode: 'auto_apply' });
    const id = await imported({ text: 'Lunch on Thursday?' });
    expect([await tagsOf(id), await proposals(id)]).toEqual([[], []]);
  });

  longIt('does not propose again what was rejected or undone', async () => {
    await configure('auto_tag', { enabled: true, mode: 'suggest' });
    const id = await imported(mail);
    const [proposal] = await proposals(id);
    await ada.api.rejectProposal({ params: { proposal_id: proposal?.id as string }, body: {} });
    await configure('auto_tag', { mode: 'auto_apply' });
    await importMail(workspace, ada, mailbox, [
      eml({ id: `${number}-2@x`, in_reply_to: `${number}@x`, subject: `Re: Labels ${number}`, ...mail }),
    ]);
    await workIsDone();
    expect(await tagsOf(id)).toEqual([]);
    expect(await proposals(id)).toHaveLength(1);
  });

  longIt('does not apply a tag again that was removed', async () => {
    await configure('auto_tag', { enabled: true, mode: 'auto_apply' });
    const id = await imported(mail);
    await ada.api.removeTag({ params: { record_type: 'threads', record_id: id, tag_id: invoices } });
    await enqueueWork([id]);
    workspace.setTime(new Date(Date.now() + 16 * 60_000));
    await sweepJobs(workspace.ctx);
    await workIsDone();
    expect(await tagsOf(id)).toEqual([]);
  });

  longIt('chooses by the messages that the owner of the mailbox sees', async () => {
    await configure('auto_tag', { enabled: true, mode: 'suggest' });
    const both = { to: 'ada@acme.example, grace@acme.example', text: 'Lunch on Thursday?' };
    const id = await imported(both, grace, graces);
    expect(await proposals(id, grace)).toEqual([]);
    await imported({ ...both, ...mail, id: `${number}-4@x`, in_reply_to: `${number}@x` }, grace, graces);
    expect((await proposals(id, grace)).map(({ user_id }) => user_id)).toEqual([grace.user.id]);
  });
});
