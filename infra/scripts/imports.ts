import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** The imports of a source tree, read from its text. */

export interface Import {
  from: string;
  to: string;
  /** Erased at run time. */
  typeOnly: boolean;
}

/** Imports and re-exports, as the formatter writes them, and calls of import(). */
const STATEMENT = /^(?:import|export)\s(?:(type)\s)?(?:[^'";]*?\sfrom\s)?'([^']+)'|import\('([^']+)'\)/gm;

/** The file that an import names, from the root; a package's name unchanged. */
function fileOf(root: string, from: string, named: string): string {
  if (named.startsWith('#shared/')) return named.slice(1);
  return named.startsWith('.')
    ? relative(root, resolve(root, dirname(from), named)).replaceAll('\\', '/')
    : named;
}

function importsOf(root: string, from: string): Import[] {
  return [...readFileSync(join(root, from), 'utf8').matchAll(STATEMENT)].map((match) => {
    const named = (match[2] ?? match[3]) as string;
    return { from, to: fileOf(root, from, named), typeOnly: match[1] === 'type' };
  });
}

/** All files of a tree, and what they import. */
export function readImports(root: string): { files: string[]; imports: Import[] } {
  const found = globSync('{functions,infra,shared,test}/**/*.{ts,mjs}', { cwd: root });
  const files = found.map((file) => file.replaceAll('\\', '/')).sort();
  return { files, imports: files.flatMap((file) => importsOf(root, file)) };
}

/** The contexts of the domain, each above those before it; contexts on one line do not import one another. */
export const CONTEXTS = [
  ['platform'],
  ['identity'],
  ['collaboration'],
  ['work'],
  ['crm', 'mail'],
  ['calendar'],
  ['assistant', 'exchange'],
  ['insight'],
];

const CONTEXT = /^shared\/domain\/([^/]+)\//;

export const contextOf = (file: string): string | undefined => CONTEXT.exec(file)?.[1];
