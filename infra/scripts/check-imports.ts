import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CONTEXTS, contextOf, type Import, readImports } from './imports.ts';

/**
 * Checks that dependencies point one way: functions, shared/domain, shared/table (docs/architecture.md, "Contexts").
 */

const USAGE = `npm run check:imports

Fails when a file imports what it must not, or when files import each other in a circle.
  --root <folder>  checks another tree
  --help           shows this text`;

interface Rule {
  reason: string;
  from: RegExp;
  except?: RegExp;
  to: RegExp;
  toExcept?: RegExp;
  /** Types may be imported. */
  types?: true;
}

const rules: Rule[] = [
  { reason: 'shared stands alone', from: /^shared\//, to: /^(functions|infra|test)\// },
  { reason: 'functions do not know where they run', from: /^functions\//, to: /^(infra|test)\// },
  { reason: 'only tests import tests', from: /^infra\//, to: /^test\// },
  {
    reason: 'a route never imports a route: what two share is in shared/domain',
    from: /^functions\/[^/]+\//,
    except: /\/index\.ts$/,
    to: /^functions\//,
  },
  { reason: 'the table knows no domain', from: /^shared\/table\//, to: /^shared\/(domain|api|providers)\// },
  {
    reason: 'contexts are composed by entry points: others are given ports',
    from: /^(infra|shared)\//,
    // A migration is an entry point that reaches every family.
    except: /^(shared\/composition|infra\/migrations)\//,
    to: /^shared\/composition\//,
  },
  {
    reason: 'adapters of ports are chosen in shared/composition',
    from: /^(functions|infra|shared)\//,
    except: /^shared\/(composition|providers)\//,
    to: /^shared\/providers\/(?!files\/|keys\/)/,
  },
  {
    reason: 'declarations of uses are for deployments: what is deployed knows their types',
    from: /^(functions|shared)\//,
    except: /^shared\/uses\//,
    to: /^shared\/uses\//,
    types: true,
  },
  { reason: 'the domain knows no HTTP', from: /^shared\/domain\//, to: /^shared\/api\// },
  {
    reason: 'leaves import nothing of ours',
    from: /^shared\/(errors|folding|ids|log|queues\/queues|table\/(keys|schema))\.ts$/,
    to: /^(functions|infra|shared)\//,
  },
  {
    reason: 'values know errors only',
    from: /^shared\/values\.ts$/,
    to: /^(functions|infra|shared)\//,
    toExcept: /^shared\/errors\.ts$/,
  },
  {
    reason: 'models are data and rules: the table is reached by stores',
    from: /^shared\/domain\/[^/]+\/[^/]+\/(account|api-key|comment|configuration|contact|conversation|credential|draft|event|group|import|mailbox|notification|organization|proposal|reaction|record|share|tag|tagging|thread|upload|user)\.ts$/,
    to: /^(@aws-sdk\/|shared\/(providers|services|table\/table))/,
    types: true,
  },
  {
    reason: 'DynamoDB is reached through shared/table',
    from: /^(functions|shared)\//,
    except: /^shared\/(table\/|services\.ts$)/,
    to: /^@aws-sdk\/(client-dynamodb|lib-dynamodb|util-dynamodb)$/,
  },
  {
    reason: 'openapi.ts needs packages that are not deployed: it is for scripts and tests',
    from: /^(functions|shared)\//,
    except: /^shared\/api\/openapi/,
    to: /^(shared\/api\/openapi|zod-openapi$)/,
  },
  {
    reason: 'Markdown is rendered when static files are collected: the library is not deployed',
    from: /./,
    except: /^infra\/docs\//,
    to: /^marked$/,
  },
];

function breaks({ from, to, typeOnly }: Import, rule: Rule): boolean {
  if (typeOnly && rule.types) return false;
  if (!rule.from.test(from) || rule.except?.test(from)) return false;
  return rule.to.test(to) && !rule.toExcept?.test(to);
}

const levelOf = (context: string) => CONTEXTS.findIndex((level) => level.includes(context));

/** Why an import between contexts has the wrong direction; undefined when it is allowed. */
function againstOrder({ from, to }: Import): string | undefined {
  const [above, below] = [from, to].map(contextOf);
  if (above === undefined || below === undefined || above === below) return undefined;
  for (const each of [above, below]) if (levelOf(each) < 0) return `${each} is no context`;
  return levelOf(below) < levelOf(above) ? undefined : `${above} is not above ${below}`;
}

/** The cycles that a depth-first search finds, each reported once. */
function circlesIn(imports: Import[]): string[] {
  const edges = Map.groupBy(
    imports.filter((each) => !each.typeOnly),
    (each) => each.from,
  );
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (file: string, trail: string[]): void => {
    const seen = trail.indexOf(file);
    if (seen >= 0) found.push([...trail.slice(seen), file].join(' -> '));
    if (seen >= 0 || done.has(file)) return;
    for (const { to } of edges.get(file) ?? []) walk(to, [...trail, file]);
    done.add(file);
  };
  for (const file of edges.keys()) walk(file, []);
  return found;
}

function main(): number {
  const { values } = parseArgs({ options: { root: { type: 'string' }, help: { type: 'boolean' } } });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const root = values.root ? resolve(values.root) : join(import.meta.dirname, '..', '..');
  const { files, imports } = readImports(root);
  const wrong = imports.flatMap((each) =>
    rules
      .filter((rule) => breaks(each, rule))
      .map(({ reason }) => `${each.from} imports ${each.to}: ${reason}`),
  );
  for (const each of imports) {
    const reason = againstOrder(each);
    if (reason) wrong.push(`${each.from} imports ${each.to}: ${reason}`);
  }
  const circles = circlesIn(imports.filter(({ to }) => existsSync(join(root, to)))).map(
    (circle) => `in a circle: ${circle}`,
  );
  for (const problem of [...wrong, ...circles]) console.error(problem);
  if (wrong.length + circles.length === 0)
    console.log(`${files.length} files, ${imports.length} imports: fine`);
  return wrong.length + circles.length === 0 ? 0 : 1;
}

try {
  process.exitCode = main();
} catch (error) {
  if (!(error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')) throw error;
  console.error(`${(error as Error).message}\n\n${USAGE}`);
  process.exitCode = 1;
}
