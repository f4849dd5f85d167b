const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/;

/** On this machine, where nothing is overheard. */
export const isLoopback = ({ hostname }: URL): boolean => LOOPBACK.test(hostname);
