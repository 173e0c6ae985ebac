/** What our windows are like, and only ours. */
export const windowOptions = (target: string, borders: boolean): string[][] => [
  ["set-option", "-w", "-t", target, "remain-on-exit", "on"],
  ["set-option", "-w", "-t", target, "automatic-rename", "off"],
  ...(borders
    ? [
        ["set-option", "-w", "-t", target, "pane-border-status", "top"],
        ["set-option", "-w", "-t", target, "pane-border-format", " #{@banksman_title} "],
      ]
    : []),
];
