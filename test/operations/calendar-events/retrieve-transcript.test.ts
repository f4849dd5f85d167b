import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '#shared/table/keys.ts';
import { givenCalendar, givenEvent } from '../../support/events.ts';
import { codeOf } from '../../support/failures.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /calendar_events/{calendar_event_id}/transcript', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('200 as it was sent; 404 no_transcript without one, record_not_found for who does not see the event', async () => {
    const { ada, grace, hank } = workspace;
    const { calendar_id } = await givenCalendar(workspace, ada);
    const { id } = await givenEvent(ada, calendar_id);
    const on = { params: { calendar_event_id: id } };
    expect(await codeOf(ada.reader.retrieveTranscript(on))).toBe('404 no_transcript');
    const segments = [
      { speaker: 'Ada', email_address: 'ada@acme.example', started_ms: 0, ended_ms: 9, text: 'Hm' },
    ];
    await ada.api.createTranscript({ ...on, body: { transcript: { language: 'en', segments } } });
    const { transcript } = (await ada.reader.retrieveTranscript(on)).body;
    expect(transcript).toEqual({ language: 'en', segments, created_at: transcript.created_at });
    for (const user of [grace, hank])
      expect(await codeOf(user.reader.retrieveTranscript(on))).toBe('404 record_not_found');
    const { PK, SK } = keys.transcripts(id);
    expect(await workspace.table.all(PK, SK)).toHaveLength(1);
  });
});
