import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { operationsOf } from '#shared/api/catalogue.ts';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { forwardCursor } from '#shared/api/shapes.ts';
import type { Services } from '#shared/services.ts';
import { flag, requiredText, text, uuid } from '#shared/values.ts';
import { writeMethods } from '../../infra/assets.ts';
import { startGateway } from '../../infra/local/gateway.ts';

/** Small operations that show the request pipeline independently of the catalogue. */

const echoProbe = route('echoProbe', {
  method: 'POST',
  path: '/probes/{probe_id}/parts/{id}',
  access: 'write',
  summary: 'Echo',
  query: { loud: flag.optional(), word: text(5).optional() },
  body: {
    probe: z.object({
      name: requiredText(10),
      note: text(10).nullable().optional(),
      parent: z.object({ child: uuid }).optional(),
      entries: z
        .array(z.object({ id: uuid }))
        .max(2)
        .optional(),
      extra: z.record(z.string(), z.unknown()).optional(),
    }),
  },
  returns: { 200: { seen: z.record(z.string(), z.unknown()) } },
  uses: [],
});

const pageProbe = route('pageProbe', {
  method: 'GET',
  path: '/probes',
  access: 'read',
  summary: 'Page',
  query: { loud: flag.optional(), word: text(5).optional(), ...forwardCursor },
  returns: { 200: { seen: z.record(z.string(), z.unknown()) } },
  uses: [],
});

const openProbe = route('openProbe', {
  method: 'POST',
  path: '/probes',
  access: 'public',
  summary: 'Public',
  body: { note: text(10).optional() },
  returns: { 201: { ok: z.literal('ok') } },
  uses: [],
});

const sessionProbe = route('sessionProbe', {
  method: 'DELETE',
  path: '/probes/{id}',
  access: 'session',
  summary: 'Session',
  returns: { 204: null },
  uses: [],
});

/** Creates something with every call that is not a repeat. */
const onceProbe = route('onceProbe', {
  method: 'POST',
  path: '/once',
  access: 'write',
  summary: 'Once',
  returns: { 201: { made: uuid } },
  uses: ['table:write'],
  idempotent: true,
});

/** Declares that it keeps its response, and does not. */
const forgetfulProbe = route('forgetfulProbe', {
  method: 'POST',
  path: '/forgetful',
  access: 'write',
  summary: 'Forgets to keep its response',
  returns: { 201: { ok: z.literal('ok') } },
  uses: [],
  idempotent: true,
});

const brokenProbe = route('brokenProbe', {
  method: 'GET',
  path: '/broken/{what}',
  access: 'public',
  summary: 'Answers that do not fit',
  returns: { 200: { count: z.int() } },
  uses: [],
});

function broken(what: string): { count: number } {
  if (what === 'throw') throw new Error('ada@acme.example sent wsk_live_abc to the table');
  if (what === 'value') return { count: 'many' as never };
  if (what === 'missing') return {} as never;
  return { count: 1, secret: 'not in the schema' } as never;
}

const probes = operationsOf({
  probes: {
    echoProbe: {
      echoProbe,
      handler: handle(echoProbe, ({ params, query, body }) => ({ seen: { params, query, body } })),
    },
    pageProbe: { pageProbe, handler: handle(pageProbe, ({ query }) => ({ seen: query })) },
    openProbe: { openProbe, handler: handle(openProbe, () => ({ ok: 'ok' as const })) },
    sessionProbe: { sessionProbe, handler: handle(sessionProbe, () => {}) },
    onceProbe: {
      onceProbe,
      handler: handle(onceProbe, async ({ ctx, keep }) => {
        const response = { made: randomUUID() as string };
        const kept = keep(response);
        if (kept.length > 0) await ctx.table.transact(kept);
        return response;
      }),
    },
    forgetfulProbe: { forgetfulProbe, handler: handle(forgetfulProbe, () => ({ ok: 'ok' as const })) },
    brokenProbe: { brokenProbe, handler: handle(brokenProbe, ({ params }) => broken(params.what)) },
  },
});

export interface Probes {
  url: string;
  stop(): Promise<void>;
}

/** Serves the probes with the services of a running workspace. */
export async function startProbes(services: Services): Promise<Probes> {
  const folder = await mkdtemp(join(tmpdir(), 'probes-'));
  await writeMethods(folder, probes);
  services.config.assets_dir = folder;
  const gateway = await startGateway(probes, 0);
  return {
    url: gateway.url,
    stop: async () => {
      await gateway.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
