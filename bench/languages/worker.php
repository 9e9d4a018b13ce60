<?php
// SPDX-License-Identifier: MIT
// worker.php -- decodes and encodes a text for run.py: php worker.php FILE
ini_set('memory_limit', '-1');
$text = file_get_contents($argv[1]);
$value = json_decode($text);
function cpu()
{
    $u = getrusage();
    return $u['ru_utime.tv_sec'] + $u['ru_stime.tv_sec'] + ($u['ru_utime.tv_usec'] + $u['ru_stime.tv_usec']) / 1e6;
}
$work = [
    'decode' => function () use ($text) { json_decode($text); },
    'encode' => function () use ($value) { json_encode($value, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES); },
];
echo PHP_VERSION, "\n";
while (($line = fgets(STDIN)) !== false) {
    [$what, $seconds] = explode(' ', trim($line));
    $run = $work[$what];
    $count = 0;
    $began = cpu();
    do {
        $run();
        $count++;
        $passed = cpu() - $began;
    } while ($passed < (float)$seconds);
    echo $count, ' ', $passed, ' ', strlen($text), "\n";
}
