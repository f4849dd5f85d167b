import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '#shared/table/keys.ts';
import { givenCalendar, givenEvent, shareMailbox } from '../../support/events.ts';
import { codeOf } from '../../support/failures.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('DELETE /calendar_events/{calendar_event_id}/transcript', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('204 with all of its parts, once; 403 for who may look only', async () => {
    const { ada, grace } = workspace;
    const { calendar_id, mailbox_id } = await givenCalendar(workspace, ada);
    await shareMailbox(ada, mailbox_id, grace);
    const { id } = await givenEvent(ada, calendar_id);
    const on = { params: { calendar_event_id: id } };
    const segments = [{ started_ms: 0, ended_ms: 9, text: 'Hm' }];
    await ada.api.createTranscript({ ...on, body: { transcript: { segments } } });
    expect(await codeOf(grace.api.deleteTranscript(on))).toBe('403 permission_denied');
    expect((await ada.api.deleteTranscript(on)).status).toBe(204);
    expect(await codeOf(ada.api.deleteTranscript(on))).toBe('404 no_transcript');
    const { PK, SK } = keys.transcripts(id);
    expect(await workspace.table.all(PK, SK)).toEqual([]);
    expect(
      (await ada.reader.retrieveCalendarEvent({ params: { id } })).body.calendar_event.has_transcript,
    ).toBe(false);
  });
});
