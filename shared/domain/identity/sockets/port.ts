import type { Config } from '#shared/config.ts';

/** How an attempt to reach a socket ended. */
export type Outcome = 'sent' | 'gone' | 'failed';

export interface SocketServer {
  /** 128 KB at most: https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html */
  send(connection_id: string, text: string): Promise<Outcome>;
  close(connection_id: string): Promise<Outcome>;
}

export interface ReachesSockets {
  sockets: (config: Config) => SocketServer;
}
