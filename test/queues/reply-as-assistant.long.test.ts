import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AskedRecord, deliverQuestion, givenQuestion, openQuestions } from '../support/assistant.ts';
import { eventsOf } from '../support/comments.ts';
import { crashAfter, failCall } from '../support/faults.ts';
import { STRIDE } from '../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/** Queue `reply-as-assistant`, whose messages the test delivers. */
describe('queue reply-as-assistant', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let contact: AskedRecord;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ada = workspace.ada;
    workspace.ctx.config.assistant.questions_per_minute = 1_000;
  });
  beforeEach(async () => {
    contact = await givenContact();
  });
  afterEach(async () => {
    workspace.setTime(undefined);
    for (const { PK, SK } of await openQuestions(workspace)) await workspace.table.delete({ PK, SK });
  });
  afterAll(() => workspace?.stop());

  async function givenContact(): Promise<AskedRecord> {
    const { body } = await ada.api.createContact({ body: { contact: { name: 'Priya Raman' } } });
    return { record_type: 'contacts', record_id: body.contact.id };
  }
  const asked = (question = 'Who is this?') => givenQuestion(ada, contact, question);
  const later = (seconds: number) => workspace.setTime(new Date(Date.now() + seconds * 1_000));

  it.each(['before', 'after'] as const)(
    'a failure %s any call to the table and a second delivery: one answer, one notification',
    async (when) => {
      for (let call = 1, reached = true; reached; call += STRIDE) {
        contact = await givenContact();
        const { id, shown } = await asked();
        const fault = failCall(workspace.table, call, when);
        const failed = await deliverQuestion(id);
        fault.remove();
        reached = fault.hit;
        if (failed > 0) {
          // The lease of the failed try may still run when its release failed.
          later(200);
          expect(await deliverQuestion(id)).toBe(0);
          workspace.setTime(undefined);
        }
        expect((await shown())?.status).toBe('complete');
        expect(await eventsOf(ada, { id: contact.record_id })).toEqual(['comment_added']);
        expect(await openQuestions(workspace)).toEqual([]);
      }
    },
  );

  it('answers with the next delivery after a worker was killed at any call', async () => {
    for (let call = 1, reached = true; reached; call += STRIDE) {
      contact = await givenContact();
      const { id, shown } = await asked();
      const crash = crashAfter(workspace.table, call);
      await deliverQuestion(id);
      crash.remove();
      reached = crash.hit;
      later(200);
      expect(await deliverQuestion(id)).toBe(0);
      workspace.setTime(undefined);
      expect((await shown())?.status).toBe('complete');
      expect(await eventsOf(ada, { id: contact.record_id })).toEqual(['comment_added']);
    }
  });
});
