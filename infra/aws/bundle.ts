import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import type { Operation } from '#shared/api/catalogue.ts';
import type { AssistantConfig } from '#shared/config.ts';
import { collectAssets, writeMethods } from '../assets.ts';
import { type Entry, entriesOf } from './entries.ts';

/** Turns the sources into Lambda bundles: `<out>/<entry>/index.js`, each folder one function's code. */

export const root = join(import.meta.dirname, '..', '..');

/** The settings that measured smallest and fastest to load: docs/decisions/0002-bundling.md. */
export const bundleSettings = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  supported: { 'dynamic-import': false },
  alias: {
    '@aws-sdk/credential-provider-node': './infra/aws/replaced/credentials.ts',
    '@aws-sdk/token-providers': './infra/aws/replaced/tokens.ts',
    postcss: './infra/aws/replaced/postcss.ts',
  },
  define: { 'process.env.NODE_ENV': '"production"' },
  charset: 'utf8',
  legalComments: 'none',
  sourcemap: false,
  logLevel: 'warning',
} satisfies BuildOptions;

export function bundleFile(out: string, entry: Pick<Entry, 'name'>): string {
  return join(out, entry.name, 'index.js');
}

function checkFiles(entries: Entry[]): void {
  const missing = entries.filter(({ file }) => !existsSync(join(root, file)));
  if (missing.length === 0) return;
  const names = missing.map(({ file }) => `  ${file}`).join('\n');
  throw new Error(
    `Named in functions/catalogue.ts or shared/queues/queues.ts, but there is no such file:\n${names}`,
  );
}

/**
 * An entry that streams, imported as `stream:<file>`. Lambda's runtime has a global function that marks a streaming
 * handler. It exists nowhere else, so the sources do not use it.
 */
const streams: Plugin = {
  name: 'streams',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^stream:/ }, ({ path }) => ({ path: path.slice(7), namespace: 'stream' }));
    onLoad({ filter: /./, namespace: 'stream' }, ({ path }) => ({
      contents: `
        import { streamed } from './shared/api/stream.ts';
        import { handler } from './${path}';
        export { handler };
        export const stream = globalThis.awslambda?.streamifyResponse?.(streamed(handler));`,
      resolveDir: root,
    }));
  },
};

const ADAPTERS = { 'built-in': 'built-in/built-in', bedrock: 'bedrock', openai: 'openai' };

/** The bundles of a deployment contain only the assistant that it uses; without one, the built-in one. */
function onlyAssistant(provider: AssistantConfig['provider']): Plugin {
  const kept = ADAPTERS[provider === 'none' ? 'built-in' : provider];
  const others = Object.values(ADAPTERS).filter((adapter) => adapter !== kept);
  return {
    name: 'only-assistant',
    setup({ onLoad }) {
      onLoad({ filter: new RegExp(`shared/providers/assistant/(${others.join('|')})\\.ts$`) }, () => ({
        contents:
          'export const builtInAssistant = undefined, bedrockModel = undefined, openAiModel = undefined;',
      }));
    },
  };
}

/** The nearest package.json tells Node how to read `.js`; in Lambda there is none, here it says "module". */
const COMMONJS = '{"type":"commonjs"}\n';

/** Bundles all entries in one esbuild run; empties `out` first. Returns the contents of each bundle. */
export async function bundle(
  operations: Operation[],
  out: string,
  assistant: AssistantConfig['provider'],
): Promise<Metafile> {
  const entries = entriesOf(operations);
  checkFiles(entries);
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const { metafile } = await build({
    ...bundleSettings,
    plugins: [streams, onlyAssistant(assistant)],
    entryPoints: entries.map((entry) => ({
      in: entry.streams ? `stream:${entry.file}` : entry.file,
      out: `${entry.name}/index`,
    })),
    outdir: out,
    metafile: true,
  });
  for (const { name, assets } of entries) {
    await writeFile(join(out, name, 'package.json'), COMMONJS);
    if (assets === 'methods') await writeMethods(join(out, name, 'assets'), operations);
    if (assets === 'all') await collectAssets(join(out, name, 'assets'), operations);
  }
  return metafile;
}
