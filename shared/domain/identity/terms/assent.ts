import * as z from 'zod';
import { given, resource, type StoredFields } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { timestamp, uuid } from '#shared/values.ts';

const assents = resource('TermsAssent', {
  id: given(uuid),
  user_id: given(uuid),
  document: given(z.string().meta({ example: 'terms-of-service' })),
  version: given(z.string().meta({ example: '2026-11' })),
  method: given(z.string().meta({ example: 'clickwrap' })),
  ip_address: given(z.string().nullable().meta({ example: '203.0.113.7' })),
  user_agent: given(z.string().nullable().meta({ example: 'Mozilla/5.0' })),
  accepted_at: given(timestamp),
});

/** That a user accepted a version of a document. */
export type TermsAssent = Item & StoredFields<typeof assents.fields>;

export const termsAssentSchema = assents.response;

export const termsAssents = z.array(termsAssentSchema);

export const termsDocumentSchema = z
  .strictObject({
    slug: z.string().meta({ example: 'terms-of-service' }),
    version: z.string().meta({ example: '2026-11' }),
    title: z.string().meta({ example: 'Terms of service' }),
    url: z.string().meta({ example: 'https://acme.example/terms' }),
    required: z.boolean(),
    accepted: z.boolean(),
  })
  .meta({ id: 'TermsDocument' });

const sentDocument = z
  .object({
    slug: z.string().max(255).meta({ example: 'terms-of-service' }),
    version: z.string().max(255).meta({ example: '2026-11' }),
  })
  .meta({ id: 'AcceptedDocument' });

/** What is missing or wrong has codes of its own (accepted.ts). */
export const sentDocuments = z.array(sentDocument).max(50).optional();

export const assentDraft = z
  .object({ documents: sentDocuments, method: z.string().optional() })
  .meta({ id: 'TermsAssentDraft' });

export type AssentDraft = z.output<typeof assentDraft>;

export const presentAssent = (assent: TermsAssent): z.infer<typeof termsAssentSchema> =>
  assents.present(assent, {});
