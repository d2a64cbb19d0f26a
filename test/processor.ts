/** Milliseconds of processor time that this process has used: unlike the clock, it does not run while other programs do. */
export function spent(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
