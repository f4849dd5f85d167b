/**
 * A kind of thing that operations and workers may touch, as data: its permissions, variables and libraries follow from
 * the declaration, for the functions whose `uses` name it and for no others.
 */
export interface Kind {
  /** What can be used of it, behind a colon: `table:read`. Without these its name alone is the use. */
  modes?: readonly string[];
  /** By mode, another one that it includes: `write: 'read'`. */
  includes?: Readonly<Record<string, string>>;
  /** What the role of a function with these modes allows; nothing for what is not of AWS. */
  grants?(modes: ReadonlySet<string>, deployment: Deployment): Grant[];
  /** By the service in an ARN, why resources above have wildcards: cdk-nag wants to know. */
  wildcards?: Readonly<Record<string, string>>;
  /** The environment variables of a function with these modes. */
  variables?(modes: ReadonlySet<string>, deployment: Deployment): Record<string, string>;
  /** Variables of functions that do not use it themselves. */
  known?(uses: ReadonlySet<string>, deployment: Deployment): Record<string, string>;
  /** The variable with the address of a local server in the place of AWS. */
  endpoint?: string;
  /** Variables that `npm start` takes from its own environment. */
  local?: readonly string[];
  /** By package, what only the bundles of these functions may hold. */
  libraries?: Readonly<Record<string, Library>>;
}

export type Kinds = Readonly<Record<string, Kind>>;

export interface Library {
  /** Minified, on top of the budget of every bundle. */
  bytes: number;
  reason: string;
}

/** What is allowed. Plain data, so that tests can compare it. */
export interface Grant {
  actions: string[];
  resources: string[];
  conditions?: Record<string, Record<string, unknown>>;
}

/** What a kind may ask of the deployment that it is in. */
export interface Deployment {
  partition: string;
  region: string;
  account: string;
  /** Final names: a reference to another stack would be an export of that stack. */
  names: {
    table: string;
    bucket: string;
    job: (queue: string) => string;
    queue_url_prefix: string;
  };
  arn(parts: {
    service: string;
    resource: string;
    resourceName?: string;
    region?: string;
    account?: string;
  }): string;
  /** `cdk -c name=value`. */
  setting(name: string): string | undefined;
  /** The value of a secret in Secrets Manager, as a reference: it is in no template. */
  secret(name: string): string;
}
