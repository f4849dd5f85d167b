import * as z from 'zod';
import { clearableLine, emailAddress, ofAtMost, refuse, requiredText, timestamp } from '#shared/values.ts';

/** What was said in a meeting. */

const milliseconds = z.int().min(0).max(1e12);

const language = z
  .string()
  .max(35)
  .check((context) => {
    try {
      Intl.getCanonicalLocales(context.value);
    } catch {
      refuse(context, 'invalid_format', 'must be a language tag such as en or en-GB');
    }
  })
  .meta({ example: 'en' });

const segmentDraft = z
  .object({
    speaker: clearableLine(255).optional(),
    email_address: emailAddress.nullish(),
    started_ms: milliseconds,
    ended_ms: milliseconds,
    text: requiredText(20_000).meta({ example: 'Shall we begin?' }),
  })
  .check((context) => {
    const { started_ms, ended_ms } = context.value;
    if (ended_ms >= started_ms) return;
    const params = { field_code: 'invalid' };
    const message = 'must not be before started_ms';
    context.issues.push({ code: 'custom', path: ['ended_ms'], input: ended_ms, message, params });
  });

/** A body has no room for more: the shortest takes 40 bytes. */
const MAX_SEGMENTS = 130_000;

export const transcriptDraft = z
  .object({
    language: language.nullish(),
    segments: ofAtMost(MAX_SEGMENTS, z.array(segmentDraft).min(1).max(MAX_SEGMENTS)),
  })
  .meta({ id: 'TranscriptDraft' });

export type TranscriptDraft = z.output<typeof transcriptDraft>;

const segment = z.strictObject({
  speaker: z.string().nullable().meta({ example: 'Ada Byron' }),
  email_address: z.string().nullable().meta({ example: 'ada@acme.example' }),
  started_ms: z.int(),
  ended_ms: z.int(),
  text: z.string().meta({ example: 'Shall we begin?' }),
});

/** docs/specification/calendar.md, "Transcripts". */
export const transcriptSchema = z
  .strictObject({
    language: z.string().nullable().meta({ example: 'en' }),
    segments: z.array(segment),
    created_at: timestamp,
  })
  .meta({ id: 'Transcript' });

export type Transcript = z.output<typeof transcriptSchema>;
