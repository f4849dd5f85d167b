import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCdk } from '../../infra/scripts/cdk/cli.ts';
import { ofType, type Resource, spelled } from '../infra/synthesized.ts';

/** The functions of a deployment, as `npm run synth` writes them. */

export interface DeployedFunction {
  /** As in the template: `WorkspaceApi-dev-createTag`. */
  name: string;
  folder: string;
  handler: string;
  variables: Record<string, string>;
}

function functionsIn(resources: Record<string, Resource>, folder: string): DeployedFunction[] {
  return ofType(resources, 'AWS::Lambda::Function').map(([, { Properties, Metadata }]) => ({
    name: Properties.FunctionName,
    folder: join(folder, Metadata?.['aws:asset:path'] as string),
    handler: Properties.Handler,
    variables: Object.fromEntries(
      Object.entries(Properties.Environment.Variables).map(([name, value]) => [name, spelled(value)]),
    ),
  }));
}

/** By name. */
export function synthesizeFunctions(folder: string, ...context: string[]): Map<string, DeployedFunction> {
  const settings = ['stage=dev', ...context].flatMap((setting) => ['-c', setting]);
  if (runCdk(['synth', '--quiet', '--output', folder, ...settings]) !== 0)
    throw new Error('The synthesis failed: its errors are above.');
  const found = ['Api', 'Jobs', 'Sockets'].flatMap((stack) => {
    const template = readFileSync(join(folder, `WorkspaceApi-dev-${stack}.template.json`), 'utf8');
    return functionsIn(JSON.parse(template).Resources, folder);
  });
  return new Map(found.map((each) => [each.name, each]));
}
