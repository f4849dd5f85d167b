import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { type IRole, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type Code,
  Function as LambdaFunction,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type Operation, operationFile } from '#shared/api/catalogue.ts';
import { type Access, pathTemplates } from '#shared/api/route.ts';
import type { Deployment, Grant, Kinds } from '#shared/uses/kind.ts';
import type { Use } from '#shared/uses/kinds.ts';
import { entryName, NOT_FOUND_FILE } from './entries.ts';
import { explainWildcards } from './explain.ts';
import { type Names, pascal } from './names.ts';
import { grantsFor } from './permissions.ts';
import type { Stage } from './stage.ts';
import { normalizeUses, usedVariables } from './uses.ts';

/** The functions behind the gateway: one for each operation, and one for all other paths. */

/**
 * MB, which also sets the CPU share (1,769 MB are one CPU). Loading a bundle takes about 40 ms on a whole CPU
 * (docs/benchmarks/sizes.md), so about 140 ms here; less memory costs the same and slows cold starts.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
 */
const OPERATION_MEMORY = 512;

/** API Gateway waits no longer: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
const GATEWAY_TIMEOUT = Duration.seconds(29);

/**
 * A response of many megabytes is in memory about four times: as items, as records, as JSON and in the output buffer. A
 * whole CPU reads, writes and compresses it.
 */
const STREAM_MEMORY = 1_769;

/** A stream may take 15 minutes. The largest responses take one, at 2 MB a second beyond the first 10 MB. */
export const STREAM_TIMEOUT = Duration.minutes(2);

/** `sam local` does not support streams: there every function returns its whole response. */
export function isStreamed({ definition }: Pick<Operation, 'definition'>, stage: Stage): boolean {
  return definition.streams === true && !stage.local_endpoints;
}

/** What all functions have in common. */
export interface Surroundings {
  stage: Stage;
  names: Names;
  /** The kinds of uses. */
  kinds: Kinds;
  deployment: Deployment;
  /** The code of an entry point, for example `tags/create-tag`. */
  code: (entry: string) => Code;
}

export interface FunctionPlan {
  id: string;
  name: string;
  /** Its log group. */
  family: string;
  entry: string;
  description: string;
  uses: Use[];
  access: Access | 'job';
  /** Of the entry's exports. */
  handler: 'handler' | 'stream';
  memory: number;
  timeout: Duration;
  environment: Record<string, string>;
}

export function variablesFor(
  uses: readonly Use[],
  access: Access | 'job',
  { stage, ...known }: Surroundings,
): Record<string, string> {
  const { local_endpoints } = stage;
  return {
    STAGE: stage.name,
    ...(local_endpoints ? { LOCAL_ENDPOINTS: 'true' } : {}),
    ...usedVariables(uses, access, { ...known, local_endpoints }),
  };
}

function corsVariable({ cors_origins }: Stage): Record<string, string> {
  return cors_origins.length === 0 ? {} : { CORS_ORIGINS: cors_origins.join(',') };
}

function termsVariable({ terms }: Stage): Record<string, string> {
  return terms.length === 0 ? {} : { TERMS: JSON.stringify(terms) };
}

export function planOperation(operation: Operation, around: Surroundings): FunctionPlan {
  const { definition, name, family } = operation;
  const { access, query = {} } = definition;
  const uses = normalizeUses(definition.uses, around.kinds);
  const pages = 'next_cursor' in query;
  const streams = isStreamed(operation, around.stage);
  return {
    id: pascal(name),
    name: around.names.operation(name),
    family,
    entry: entryName(operationFile(operation)),
    description: `${definition.method} ${pathTemplates(definition.path)[0]?.template}: ${definition.summary}`,
    uses,
    access,
    handler: streams ? 'stream' : 'handler',
    memory: streams ? STREAM_MEMORY : OPERATION_MEMORY,
    timeout: streams ? STREAM_TIMEOUT : GATEWAY_TIMEOUT,
    environment: {
      ...variablesFor(uses, access, around),
      ...corsVariable(around.stage),
      ...termsVariable(around.stage),
      ...(pages ? { CURSOR_KEYS: around.deployment.signing_keys } : {}),
    },
  };
}

export function planNotFound(around: Surroundings): FunctionPlan {
  return {
    id: 'NotFound',
    name: around.names.operation('notFound'),
    family: 'gateway',
    entry: entryName(NOT_FOUND_FILE),
    description: 'Unknown paths, other methods and the CORS preflight',
    uses: [],
    access: 'public',
    handler: 'handler',
    memory: OPERATION_MEMORY,
    timeout: GATEWAY_TIMEOUT,
    environment: { ...variablesFor([], 'public', around), ...corsVariable(around.stage) },
  };
}

/** The log group of each family, created on first use. */
export class LogGroups {
  private readonly scope: Construct;
  private readonly around: Surroundings;
  private readonly groups = new Map<string, LogGroup>();

  constructor(scope: Construct, around: Surroundings) {
    this.scope = scope;
    this.around = around;
  }

  of(family: string): LogGroup {
    let group = this.groups.get(family);
    if (!group) {
      group = new LogGroup(this.scope, `Logs${pascal(family)}`, {
        logGroupName: this.around.names.log_group(family),
        retention: this.around.stage.log_retention,
        removalPolicy: RemovalPolicy.DESTROY,
      });
      this.groups.set(family, group);
    }
    return group;
  }
}

/** A role with exactly these grants, and permission to write to these log groups. */
export function addRole(
  scope: Construct,
  id: string,
  grants: Grant[],
  groups: LogGroup[],
  kinds: Kinds,
): IRole {
  const logging: Grant = {
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: groups.map((group) => group.logGroupArn),
  };
  const role = new Role(scope, id, {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: {
      use: new PolicyDocument({
        statements: [...grants, logging].map((grant) => new PolicyStatement(grant)),
      }),
    },
  });
  explainWildcards(
    role,
    grants.flatMap(({ resources }) => resources),
    wildcardReason(kinds),
  );
  // Imported as a foreign role: CDK would otherwise add its own policy for tracing and queues, a resource for each
  // role.
  return Role.fromRoleArn(scope, `${id}Fixed`, role.roleArn, { mutable: false });
}

/** By the service of an ARN, with references written as `<AWS::Partition>`. */
function wildcardReason(kinds: Kinds): (resource: string) => string | undefined {
  const reasons = Object.assign({}, ...Object.values(kinds).map(({ wildcards }) => wildcards));
  return (resource) => {
    if (resource === '*') return 'X-Ray takes no resource.';
    const service = /^arn:(?:<[^>]*>|[^:]*):([^:]*):/.exec(resource)?.[1] ?? '';
    return reasons[service];
  };
}

export function addFunction(
  scope: Construct,
  plan: FunctionPlan,
  role: IRole,
  logGroup: LogGroup,
  around: Surroundings,
): LambdaFunction {
  return new LambdaFunction(scope, plan.id, {
    functionName: plan.name,
    description: plan.description.slice(0, 256),
    runtime: Runtime.NODEJS_24_X,
    architecture: around.stage.architecture === 'x86_64' ? Architecture.X86_64 : Architecture.ARM_64,
    handler: `index.${plan.handler}`,
    code: around.code(plan.entry),
    memorySize: plan.memory,
    timeout: plan.timeout,
    tracing: Tracing.ACTIVE,
    environment: plan.environment,
    role,
    logGroup,
  });
}

/** Functions with the same uses and the same kind of authentication share a role. */
function roleId({ uses, access }: FunctionPlan): string {
  return ['role', access === 'public' ? 'public' : 'caller', ...uses].join('-');
}

/** All functions of the plans, by the id of their plan. */
export function addFunctions(
  scope: Construct,
  plans: FunctionPlan[],
  logs: LogGroups,
  around: Surroundings,
): Map<string, LambdaFunction> {
  const functions = new Map<string, LambdaFunction>();
  for (const [id, sharing] of Map.groupBy(plans, roleId)) {
    const { uses, access } = sharing[0] as FunctionPlan;
    const families = [...new Set(sharing.map((plan) => plan.family))];
    const groups = families.map((family) => logs.of(family));
    const role = addRole(scope, pascal(id), grantsFor(uses, access, around), groups, around.kinds);
    for (const plan of sharing)
      functions.set(plan.id, addFunction(scope, plan, role, logs.of(plan.family), around));
  }
  return functions;
}
